import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListName } from '../../api/lists.ts';
import type { LogDetail } from '../../api/logs.ts';
import { useMay } from '../../shell/use-may.ts';
import { AddEntryDialog } from '../lists/AddEntryDialog.tsx';
import classes from './LogPanel.module.css';

/** Puts the address, its domain, its mail servers or the IP of a check on a list, through the dialog that shows the impact first. */
export function ListActions({ log, email }: { log: LogDetail; email: string }) {
  const may = useMay();
  const [list, setList] = useState<ListName | null>(null);
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return (
    <div className={classes.actions}>
      <Button variant="default" size="xs" onClick={() => setList('allow')}>
        Allow…
      </Button>
      <Button variant="default" size="xs" onClick={() => setList('block')}>
        Block…
      </Button>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        renderRoot={(props) => <Link to="/checks/new" search={{ email }} {...props} />}
      >
        Check again
      </Button>
      {may('POST /policies/') && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          renderRoot={(props) => <Link to="/rules/policies" search={{ like: log.id }} {...props} />}
        >
          Make a rule
        </Button>
      )}
      {list && (
        <AddEntryDialog
          list={list}
          values={[email, domain, ...(log.ip ? [log.ip] : [])]}
          servers={(log.mx?.hosts ?? []).filter((host) => host !== domain)}
          note={`From ${log.id}`}
          onClose={() => setList(null)}
        />
      )}
    </div>
  );
}
