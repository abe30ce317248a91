import { useEffect } from "react";

const refreshMs = 5000;

/** Fetches again every few seconds while the page is shown. */
export function useRefresh(again: () => void): void {
  useEffect(() => {
    const timer = setInterval(again, refreshMs);
    return () => clearInterval(timer);
  }, [again]);
}
