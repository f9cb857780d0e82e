import { notifications } from '@mantine/notifications';
import { messageOf } from './message-of.ts';

/** Reports a failed action where no form can show the error. */
export const showError = (title: string) => (error: unknown) =>
  void notifications.show({ color: 'red', title, message: messageOf(error) });
