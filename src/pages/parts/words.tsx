/** An address that wraps after a slash, rather than within a word. */
export const Address = ({ children }: { children: string }) => (
  <>
    {children.split(/(?<=[^/:]\/)/).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </>
);

/** Text typed by a person. Keeps its line breaks and its own text direction. */
export const Typed = ({ children, as: Tag = "p" }: { children: string; as?: "p" | "blockquote" }) => (
  <Tag class="typed" dir="auto">
    {children}
  </Tag>
);
