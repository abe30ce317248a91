import { useLayoutEffect, useRef, useState } from "react";
import temml from "temml";

/** A formula as MathML, built from elements: TeX is data, and nothing in it becomes markup or a link. */
export function Formula({ tex, display }: { tex: string; display: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  const [wrong, setWrong] = useState(false);
  useLayoutEffect(() => {
    const box = place.current;
    if (!box) return;
    try {
      box.replaceChildren();
      temml.render(tex, box, { displayMode: display, throwOnError: true, trust: false, maxExpand: 200 });
      setWrong(false);
    } catch {
      setWrong(true);
    }
  }, [tex, display]);
  return (
    <>
      <span ref={place} className={display ? "formula display" : "formula"} hidden={wrong} />
      {wrong && <code>{tex}</code>}
    </>
  );
}
