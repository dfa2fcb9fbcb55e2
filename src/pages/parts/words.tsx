/** A text that somebody typed: its line breaks stay, and its direction is its own. */
export const Typed = ({ children, as: Tag = "p" }: { children: string; as?: "p" | "blockquote" }) => (
  <Tag class="typed" dir="auto">
    {children}
  </Tag>
);
