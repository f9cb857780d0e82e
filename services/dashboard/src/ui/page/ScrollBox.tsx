/** What scrolls inside the page; the keyboard reaches it and a screen reader knows what it is. */
export function ScrollBox({
  label,
  children,
  ...rest
}: { label: string } & React.ComponentPropsWithoutRef<'div'>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of form fields
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus scrolls by keyboard
      tabIndex={0}
      {...rest}
    >
      {children}
    </div>
  );
}
