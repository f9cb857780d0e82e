import { Section } from '../../ui/page/Section.tsx';

/** Says that all visitors share one address, which makes repetitions of IPs worthless. */
export function OwnProxy({ ip }: { ip: string | null }) {
  if (ip === null) return null;
  return (
    <Section
      title="One IP address for all visitors"
      note={`Nearly all checks of today carry ${ip}, which is probably your own proxy. Send the visitor’s address as ip. Until then today’s bursts leave IP addresses out.`}
    />
  );
}
