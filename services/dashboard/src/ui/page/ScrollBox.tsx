/** A scrolling part of the page, with a name and a place in the tab order. */
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
