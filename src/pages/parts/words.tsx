/** Text that someone typed. It keeps its line breaks and its own text direction. */
export const Typed = ({ children, as: Tag = "p" }: { children: string; as?: "p" | "blockquote" }) => (
  <Tag class="typed" dir="auto">
    {children}
  </Tag>
);
