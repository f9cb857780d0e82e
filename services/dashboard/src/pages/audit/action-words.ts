/** Audited actions in words. */
const ACTIONS: Readonly<Record<string, string>> = {
  'user.registered': 'Registered',
  'user.logged_in': 'Logged in',
  'user.logged_out': 'Logged out',
  'user.password_set': 'Changed the password',
  'user.password_reset': 'Reset the password',
  'user.address_confirmed': 'Confirmed the email address',
  'user.email_changed': 'Changed the email address',
  'user.name_set': 'Changed the name',
  'user.second_factor_on': 'Turned on two-factor authentication',
  'user.codes_guessed': 'Entered wrong two-factor codes',
  'user.second_factor_off': 'Turned off two-factor authentication',
  'user.second_factor_reset': 'Reset two-factor authentication',
  'user.recovery_codes_made': 'Created recovery codes',
  'user.made_operator': 'Granted operator access',
  'user.unmade_operator': 'Removed operator access',
  'session.reuse_detected': 'Ended a session: an old token was used again',
  'session.ended': 'Ended a session',
  'session.others_ended': 'Ended all other sessions',
  'session.switched': 'Opened this account',
  'member.invited': 'Invited a member',
  'member.invitation_withdrawn': 'Withdrew an invitation',
  'member.joined': 'Joined the account',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed a member',
  'member.left': 'Left the account',
  'sso.set': 'Set up single sign-on',
  'sso.domain_proven': 'Proved a domain',
  'sso.removed': 'Removed single sign-on',
  'sso.connected': 'Connected their login to single sign-on',
  'account.suspended': 'Suspended the account',
  'account.resumed': 'Resumed the account',
  'account.deleted': 'Deleted the account',
  'account.exported': 'Exported everything',
  'subject.exported': 'Exported what is kept of a person',
  'subject.erased': 'Erased a person',
  'account.settings_changed': 'Changed the settings',
  'key.created': 'Created a key',
  'key.updated': 'Changed a key',
  'key.old_value_ended': 'Ended the old value of a key',
  'key.rolled': 'Rolled a key',
  'key.revoked': 'Revoked a key',
  'key.cost_centre_set': 'Set the cost centre of a key',
  'list.added': 'Added a list entry',
  'list.imported': 'Imported list entries',
  'list.removed': 'Removed a list entry',
  'policy.created': 'Saved a version of the policy',
  'policy.live_set': 'Changed the live policy',
  'policy.shadow_set': 'Changed the shadow policy',
  'subscription.changed': 'Changed the plan',
  'subscription.requested': 'Requested a plan',
  'subscription.granted': 'Granted the plan',
  'subscription.refused': 'Refused the plan',
  'subscription.request_withdrawn': 'Withdrew the plan request',
  'billing.address_set': 'Changed the invoice address',
  'billing.limits_set': 'Changed the spending limits',
  'billing.profile_set': 'Changed the invoice details',
  'billing.adjusted': 'Adjusted a month',
  'billing.credited': 'Issued a credit note',
  'webhook.created': 'Added a webhook endpoint',
  'webhook.updated': 'Changed a webhook endpoint',
  'webhook.rolled': 'Rolled a webhook secret',
  'webhook.replayed': 'Replayed events',
  'webhook.deleted': 'Deleted a webhook endpoint',
  'webhook.disabled': 'Disabled a webhook endpoint',
  'hook.created': 'Created a sign-up hook',
  'hook.updated': 'Changed a sign-up hook',
  'hook.deleted': 'Deleted a sign-up hook',
  'job.created': 'Uploaded a file',
  'job.started': 'Started a bulk job',
  'job.paused': 'Paused a bulk job',
  'job.canceled': 'Canceled a bulk job',
  'job.deleted': 'Erased a bulk job',
  'operator.plan_set': 'Set a customer’s plan',
  'operator.plan_granted': 'Granted a plan request',
  'operator.plan_refused': 'Refused a plan request',
  'operator.account_suspended': 'Suspended a customer',
  'operator.account_resumed': 'Resumed a customer',
  'operator.reset_sent': 'Sent a password reset link',
  'operator.statements_exported': 'Exported statements',
  'operator.invoices_exported': 'Exported invoices',
  'operator.report_read': 'Read a monthly report',
};

/** An action nobody wrote words for is still readable: `key.cost_set` is "Key: cost set". */
export const actionWords = (action: string): string => {
  const [subject = '', ...rest] = action.replaceAll('_', ' ').split('.');
  return ACTIONS[action] ?? `${subject.charAt(0).toUpperCase()}${subject.slice(1)}: ${rest.join(' ')}`;
};

/** The details of an event in a line: `monthly_quota: 500` is "monthly quota 500". */
export const detailWords = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([name]) => name !== 'by')
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${wordOf(value)}`)
    .join(', ');

const wordOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(wordOf).join(' and ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};
