import { type ComponentProps, createContext, useContext, useState } from "react";
import { Icon } from "../parts/icon.tsx";

/** What can be done with messages of the open session. */
export interface MessageActions {
  session: string;
  /** False while a run is active, and for sessions of other folders. */
  free: boolean;
  /** Asks again from this message on, with another text if one is given; what came after it goes. */
  again(entry: number, text?: string): void;
  /** A copy of the chat that ends before this message; undefined: all of it. */
  fork(before: number | undefined): void;
  /** The conversation was rewound to before this message. */
  rewound(text: string): void;
}

export const MessageActionsContext = createContext<MessageActions | undefined>(undefined);

export function useMessageActions(): MessageActions | undefined {
  return useContext(MessageActionsContext);
}

interface MessageActionProps {
  icon: ComponentProps<typeof Icon>["name"];
  label: string;
  /** What it does, in a sentence; the label where that says it all. */
  title?: string;
  onClick(): void;
}

/** One of the small buttons below a message. */
export function MessageAction({ icon, label, title = label, onClick }: MessageActionProps) {
  return (
    <button type="button" className="quiet small" aria-label={label} title={title} onClick={onClick}>
      <Icon name={icon} size={14} />
    </button>
  );
}

export function CopyAction({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return <MessageAction icon={copied ? "check" : "copy"} label={label} onClick={() => void copy()} />;
}
