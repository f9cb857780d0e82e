import { CallTabs } from '../../ui/copy/CallTabs.tsx';
import { Section } from '../../ui/page/Section.tsx';

export const CallSamples = ({ email, ip }: { email: string; ip: string }) => (
  <Section title="The same call in code">
    <CallTabs call={{ key: 'YOUR_KEY', email, ...(ip ? { ip } : {}) }} label="The same call in code" />
  </Section>
);
