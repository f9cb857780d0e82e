import { Link } from '@tanstack/react-router';
import type { CheckResult } from '@verdict/contracts/check-api.js';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { CopyId } from '../../ui/copy/CopyId.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { FactorBars } from '../../ui/verdict/FactorBars.tsx';
import { ScoreBar } from '../../ui/verdict/ScoreBar.tsx';
import { SignalList } from './SignalList.tsx';
import classes from './Verdict.module.css';

/** The answer to a check, taken apart. */
export function Verdict({ result }: { result: CheckResult }) {
  const { decision, risk_score: score, breakdown, signals } = result;
  return (
    <article aria-label={`${result.email}: ${decision}, ${score}`}>
      <div className={classes.verdict} data-decision={decision}>
        <div className={classes.head}>
          <div>
            <DecisionMark decision={decision} large />
            <p className={classes.address}>{result.email}</p>
          </div>
          <div className={classes.score}>
            <span>Risk score</span>
            <strong>{score}</strong>
          </div>
        </div>
        <ScoreBar score={score} marks />
        <p className={classes.foot}>
          <CopyId id={result.id} />
          <Link to="/checks/$id" params={{ id: result.id }}>
            Open the check
          </Link>
        </p>
      </div>
      <div className={panel.two}>
        <Section title="How the score adds up">
          <FactorBars
            factors={breakdown?.factors ?? []}
            score={score}
            texts={{ total: 'Risk score', none: 'No risk found.' }}
          />
        </Section>
        <Section title="Signals">
          <SignalList signals={signals} />
        </Section>
      </div>
      <Section title="Raw JSON">
        <CodeBlock code={JSON.stringify(result, null, 2)} label="Response of the API" />
      </Section>
    </article>
  );
}
