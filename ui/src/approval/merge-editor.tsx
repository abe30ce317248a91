import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  indentOnInput,
  type LanguageSupport,
  syntaxHighlighting,
} from "@codemirror/language";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { languageOf } from "../parts/highlight.tsx";
import { hidden } from "../parts/visible.ts";

interface MergeEditorProps {
  path: string;
  current: string;
  proposed: string;
  editable: boolean;
  inline: boolean;
  onEdit(content: string): void;
}

const collapse = { margin: 3, minSize: 8 };

/** The current text beside the proposed text, which can be edited byte for byte. */
export function MergeEditor({ path, current, proposed, editable, inline, onEdit }: MergeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ proposed, onEdit });
  latest.current.onEdit = onEdit;
  useEffect(() => {
    latest.current.proposed = proposed;
  }, [proposed]);

  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    let gone = false;
    let view: MergeView | EditorView | undefined;
    void loadLanguage(languageOf(path)).then((language) => {
      if (gone) return;
      const edited = EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) latest.current.onEdit(state.sliceDoc());
      });
      const doc = latest.current.proposed;
      const common = [baseOf(current, doc), ...(language ? [language] : [])];
      const mine = [
        ...common,
        edited,
        EditorState.readOnly.of(!editable),
        EditorView.contentAttributes.of({ "aria-label": `Proposed text of ${path}` }),
      ];
      const theirs = [
        ...common,
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ "aria-label": `Current text of ${path}` }),
      ];
      view = inline
        ? new EditorView({ parent, doc, extensions: [mine, inlineDiff(current, separatorOf(current, doc))] })
        : new MergeView({
            parent,
            a: { doc: current, extensions: theirs },
            b: { doc, extensions: mine },
            collapseUnchanged: collapse,
          });
    });
    return () => {
      gone = true;
      view?.destroy();
    };
  }, [path, current, editable, inline]);

  return <div ref={place} className={inline ? "merge inline" : "merge"} />;
}

function inlineDiff(current: string, separator: string): Extension {
  const original = EditorState.create({
    doc: current,
    extensions: EditorState.lineSeparator.of(separator),
  }).doc;
  return unifiedMergeView({ original, mergeControls: false, collapseUnchanged: collapse });
}

function baseOf(current: string, proposed: string): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
  return [
    EditorView.cspNonce.of(nonce),
    EditorState.lineSeparator.of(separatorOf(current, proposed)),
    lineNumbers(),
    highlightSpecialChars({ addSpecialChars: hidden }),
    history(),
    indentOnInput(),
    bracketMatching(),
    EditorView.lineWrapping,
    syntaxHighlighting(classHighlighter),
    keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
  ];
}

/** Line endings are preserved: a CRLF file is split at CRLF, any other at LF only, and nothing is normalised. */
function separatorOf(current: string, proposed: string): string {
  const windows = (text: string) => !/(^|[^\r])\n/.test(text);
  const text = current + proposed;
  return text.includes("\r\n") && windows(current) && windows(proposed) ? "\r\n" : "\n";
}

async function loadLanguage(extension: string): Promise<LanguageSupport | undefined> {
  switch (extension) {
    case "ts":
    case "tsx":
    case "mts":
    case "cts":
    case "js":
    case "jsx":
    case "mjs":
    case "cjs": {
      const { javascript } = await import("@codemirror/lang-javascript");
      return javascript({ typescript: /t/.test(extension), jsx: extension.endsWith("x") });
    }
    case "json":
      return (await import("@codemirror/lang-json")).json();
    case "py":
      return (await import("@codemirror/lang-python")).python();
    case "md":
      return (await import("@codemirror/lang-markdown")).markdown();
    case "css":
      return (await import("@codemirror/lang-css")).css();
    case "html":
      return (await import("@codemirror/lang-html")).html();
    default:
      return undefined;
  }
}
