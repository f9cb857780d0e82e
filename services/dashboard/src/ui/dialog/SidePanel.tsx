import { Drawer } from '@mantine/core';
import classes from './SidePanel.module.css';

/** Details beside the list they come from; the route that renders it is its address. */
export function SidePanel({
  title,
  onClose,
  children,
}: {
  title: React.ReactNode;
  onClose: () => void;
  children: React.ReactNode;
}) {
  return (
    <Drawer
      opened
      // Escape belongs to the dialog on top, if the panel has opened one.
      onClose={() => {
        if (document.querySelectorAll('[role="dialog"][aria-modal="true"]').length < 2) onClose();
      }}
      position="right"
      size={520}
      title={title}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      overlayProps={{ backgroundOpacity: 0.18 }}
      closeButtonProps={{ 'aria-label': 'Close details' }}
      classNames={{
        content: classes.content ?? '',
        header: classes.header ?? '',
        title: classes.title ?? '',
        body: classes.body ?? '',
      }}
    >
      {children}
    </Drawer>
  );
}
