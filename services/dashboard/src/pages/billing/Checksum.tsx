import { useQuery } from '@tanstack/react-query';
import type { Statement } from '../../api/billing.ts';
import { IconAlertOctagon, IconCircleCheck } from '../../icons.tsx';
import { Section } from '../../ui/page/Section.tsx';
import classes from './StatementPage.module.css';
import { isGenuine } from './statement-checksum.ts';

/** The checksum of the statement, and whether the figures on this page give the same. */
export function Checksum({ statement, accountId }: { statement: Statement; accountId: string }) {
  const computed = useQuery({
    queryKey: ['checksum', accountId, statement],
    queryFn: () => isGenuine(statement, accountId),
  });
  return (
    <Section
      title="Checksum"
      note="SHA-256 over the month, account, plan and figures above, computed again by your browser."
    >
      <code className={classes.checksum}>{statement.checksum}</code>
      <p className={classes.result} role="status" data-genuine={computed.data === false ? 'no' : undefined}>
        {computed.data === undefined ? (
          'Computing the checksum'
        ) : computed.data === null ? (
          'Your browser can verify the checksum only over HTTPS or on localhost.'
        ) : computed.data ? (
          <>
            <IconCircleCheck size={17} /> The checksum matches. This statement is unchanged.
          </>
        ) : (
          <>
            <IconAlertOctagon size={17} /> The checksum does not match. Do not pay this statement; ask the
            operator.
          </>
        )}
      </p>
    </Section>
  );
}
