import { useQuery } from '@tanstack/react-query';
import type { Statement } from '../../api/billing.ts';
import { IconAlertOctagon, IconCircleCheck } from '../../icons.tsx';
import { Section } from '../../ui/page/Section.tsx';
import classes from './StatementPage.module.css';
import { isGenuine } from './statement-checksum.ts';
import { STATEMENT_TEXTS as TEXTS } from './texts.ts';

/** The checksum of the statement, and whether the figures on this page give the same. */
export function Checksum({ statement, accountId }: { statement: Statement; accountId: string }) {
  const computed = useQuery({
    queryKey: ['checksum', accountId, statement],
    queryFn: () => isGenuine(statement, accountId),
  });
  return (
    <Section title={TEXTS.checksum} note={TEXTS.checksumNote}>
      <code className={classes.checksum}>{statement.checksum}</code>
      <p className={classes.result} role="status" data-genuine={computed.data === false ? 'no' : undefined}>
        {computed.data === undefined ? (
          TEXTS.computing
        ) : computed.data === null ? (
          TEXTS.insecure
        ) : computed.data ? (
          <>
            <IconCircleCheck size={17} /> {TEXTS.genuine}
          </>
        ) : (
          <>
            <IconAlertOctagon size={17} /> {TEXTS.altered}
          </>
        )}
      </p>
    </Section>
  );
}
