import { CallTabs } from '../../ui/copy/CallTabs.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { PLAYGROUND_TEXTS as TEXTS } from './texts.ts';

export const CallSamples = ({ email, ip }: { email: string; ip: string }) => (
  <Section title={TEXTS.call}>
    <CallTabs call={{ key: 'YOUR_KEY', email, ...(ip ? { ip } : {}) }} label={TEXTS.call} />
  </Section>
);
