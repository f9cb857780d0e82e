import {
  Button,
  createTheme,
  Drawer,
  Input,
  Menu,
  Modal,
  NativeSelect,
  PasswordInput,
  SegmentedControl,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';

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

/** Colours and sizes are in styles/tokens.css, because the content security policy allows no generated styles. */
export const theme = createTheme({
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'sm' },
      // Ink for what the page is for, red for what cannot be undone.
      vars: (_theme, { variant, color }) => ({
        root: variant === undefined || variant === 'filled' ? (color === 'red' ? DANGER : INK) : {},
      }),
    }),
    Drawer: Drawer.extend({ defaultProps: { lockScroll: false } }),
    Input: Input.extend({ defaultProps: { size: 'sm' } }),
    Menu: Menu.extend({ defaultProps: { transitionProps: { duration: 0 } } }),
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        size: 480,
        transitionProps: { duration: 100 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    }),
    NativeSelect: NativeSelect.extend({ defaultProps: { size: 'sm' } }),
    PasswordInput: PasswordInput.extend({ defaultProps: { size: 'sm' } }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { transitionDuration: 0 } }),
    Textarea: Textarea.extend({ defaultProps: { size: 'sm' } }),
    TextInput: TextInput.extend({ defaultProps: { size: 'sm' } }),
    Tooltip: Tooltip.extend({ defaultProps: { transitionProps: { duration: 0 }, withArrow: false } }),
  },
});
