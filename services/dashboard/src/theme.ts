import { Button, createTheme } from '@mantine/core';

const INK = {
  '--button-bg': 'var(--v-ink)',
  '--button-hover': 'var(--v-ink-hover)',
  '--button-color': 'var(--v-on-ink)',
};

const DANGER = {
  '--button-bg': 'var(--v-danger)',
  '--button-hover': 'var(--v-danger-hover)',
  '--button-color': 'var(--v-on-danger)',
};

const DANGER_OUTLINE = {
  '--button-bg': 'transparent',
  '--button-hover': 'var(--v-danger-soft)',
  '--button-color': 'var(--v-danger)',
  '--button-bd': '1px solid var(--v-danger-line)',
};

/** Ink for what the page is for, red for what cannot be undone. */
function coloursOf(variant: string | undefined, color: string | undefined): Record<string, string> {
  if (variant === undefined || variant === 'filled') return color === 'red' ? DANGER : INK;
  return variant === 'outline' && color === 'red' ? DANGER_OUTLINE : {};
}

/** Colours and sizes are in styles/tokens.css, because the content security policy allows no generated styles. */
export const theme = createTheme({
  respectReducedMotion: true,
  // Named and not imported: a component that no page has asked for is not loaded for its defaults.
  components: {
    Button: Button.extend({
      defaultProps: { size: 'sm' },
      vars: (_theme, { variant, color }) => ({
        root: coloursOf(variant, color),
      }),
    }),
    Drawer: { defaultProps: { lockScroll: false } },
    // Or each dialog brings a second banner landmark.
    DrawerHeader: { defaultProps: { role: 'none' } },
    Input: { defaultProps: { size: 'sm' } },
    // Forms ask only for what they need, and say which field is optional.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Menu: { defaultProps: { transitionProps: { duration: 0 } } },
    Modal: {
      defaultProps: {
        lockScroll: false,
        size: 480,
        transitionProps: { duration: 100 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    ModalHeader: { defaultProps: { role: 'none' } },
    NativeSelect: { defaultProps: { size: 'sm' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    Textarea: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
  },
});
