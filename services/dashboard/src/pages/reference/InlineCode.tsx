/** A sentence of the API's description, with `names` set as code. */
export const InlineCode = ({ children = '' }: { children?: string | undefined }) => (
  <>
    {children
      .split('`')
      // Every second part stood between two marks.
      .map((part, index) => (index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part))}
  </>
);
