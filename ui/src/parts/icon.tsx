const paths = {
  chat: "M3 4.5A1.5 1.5 0 0 1 4.5 3h7A1.5 1.5 0 0 1 13 4.5v5a1.5 1.5 0 0 1-1.5 1.5H7l-3 2.5V11A1.5 1.5 0 0 1 3 9.5z",
  changes:
    "M4 2v9M4 11a1.75 1.75 0 1 0 0 3.5A1.75 1.75 0 0 0 4 11zM12 5v0M12 1.5A1.75 1.75 0 1 0 12 5a1.75 1.75 0 0 0 0-3.5zM12 5c0 4-8 2.5-8 6",
  tools:
    "M9.5 2.5a3.5 3.5 0 0 0-3.3 4.7L2.5 10.9a1.5 1.5 0 0 0 2.1 2.1l3.7-3.7a3.5 3.5 0 0 0 4.6-4.4L10.7 7 9 5.3l2.1-2.2a3.5 3.5 0 0 0-1.6-.6z",
  activity: "M2 8.5h2.5L6.5 3l3 10 2-4.5H14",
  settings: "M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 2.8v3.4M6 9.8v3.4",
  plus: "M8 3v10M3 8h10",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5l3 3",
  send: "M8 13V3M3.5 7.5 8 3l4.5 4.5",
  down: "M8 3v10M3.5 8.5 8 13l4.5-4.5",
  stop: "M4.5 4.5h7v7h-7z",
  check: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  chevron: "M6 3.5 10.5 8 6 12.5",
  undo: "M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6",
  redo: "M10.5 3l3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h4",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  shield: "M8 1.8 13 3.6v4c0 3.3-2.2 5.6-5 6.6-2.8-1-5-3.3-5-6.6v-4z",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  documents: "M5 1.8h5l3 3v7H5zM10 1.8v3h3M3 4.5v9.7h7.5",
  skills:
    "M8 3.5C6.5 2.6 4.5 2.3 2.3 2.5v9.8c2.2-.2 4.2.1 5.7 1 1.5-.9 3.5-1.2 5.7-1V2.5c-2.2-.2-4.2.1-5.7 1zM8 3.5v9.8",
  download: "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.2h10",
  trash: "M3 4.5h10M6.2 4.5V2.8h3.6v1.7M4.3 4.5l.6 9h6.2l.6-9M6.8 7v4M9.2 7v4",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  play: "M5 3.2v9.6L12.5 8z",
  idea: "M8 1.8a4.2 4.2 0 0 0-2.4 7.6c.5.4.8.9.8 1.5v.6h3.2v-.6c0-.6.3-1.1.8-1.5A4.2 4.2 0 0 0 8 1.8zM6.6 14h2.8",
  pin: "M8 2.2l1.7 3.6 3.9.5-2.9 2.7.8 3.9L8 11l-3.5 1.9.8-3.9L2.4 6.3l3.9-.5z",
  warn: "M8 2.5 14 13H2zM8 6.5v3M8 11.3v.01",
  attach: "M13 7.5 8 12.5a3.2 3.2 0 0 1-4.5-4.5l5.6-5.5a2.1 2.1 0 0 1 3 3L6.7 10.9a1 1 0 0 1-1.5-1.5L10 4.7",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  fork: "M4.5 2.5v11M4.5 9.5c0-3 7-1 7-4.5M11.5 5V2.8",
  retry: "M12.8 6.5A5 5 0 1 0 13 9M13 3v3.5H9.5",
  edit: "M3 13h2.5L13 5.5 10.5 3 3 10.5z",
  lock: "M4 7.5h8v6H4zM5.5 7.5V5.2a2.5 2.5 0 0 1 5 0v2.3",
} as const;

export type IconName = keyof typeof paths;

/** Decorative: its meaning is also in the text beside it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
