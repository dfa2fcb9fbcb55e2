/** A text that someone typed; it keeps its line breaks, and its text direction is isolated. */
export const Typed = ({ children, as: Tag = "p" }: { children: string; as?: "p" | "blockquote" }) => (
  <Tag class="typed" dir="auto">
    {children}
  </Tag>
);
