export const USAGE_TEXTS = {
  steps: { hour: 'Hour', day: 'Day', month: 'Month' },
  key: 'Key',
  chart: 'Checks by time and decision',
};
