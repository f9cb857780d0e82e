import { Button, FileButton, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { LISTS, type ListName } from '../../api/lists.ts';
import { sendCsv } from '../../api/send-csv.ts';
import { OVERVIEW } from '../../api/usage.ts';
import { useAction } from '../../ui/action/use-action.ts';
import dialog from '../../ui/dialog/Dialog.module.css';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { ImportReportView } from './ImportReportView.tsx';
import { IMPORT_TEXTS as TEXTS } from './texts.ts';

/** Sends pasted lines or a file to the server, then shows which rows it refused. */
export function ImportDialog({ list, onClose }: { list: ListName; onClose: () => void }) {
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const importing = useAction(
    // The server reads the file: it knows delimiters, quotes and encodings.
    (_: FormData) => sendCsv(`POST /lists/${list}/import/`, file ?? new Blob([text])),
    { stale: [LISTS, OVERVIEW] },
  );
  if (importing.data) {
    return (
      <Modal opened onClose={onClose} title={TEXTS.title(list)} size={620}>
        <div className={dialog.form}>
          <ImportReportView report={importing.data} />
          <div className={dialog.actions}>
            <Button onClick={onClose} data-autofocus>
              Close
            </Button>
          </div>
        </div>
      </Modal>
    );
  }
  return (
    <FormDialog
      title={TEXTS.title(list)}
      size={620}
      submit="Import"
      ready={file !== null || text.trim() !== ''}
      action={importing}
      onDrop={setFile}
      onClose={onClose}
    >
      <p>
        One entry per line, or a CSV with the columns value, note, match and expires_at. At most 10,000 rows
        at a time.
      </p>
      <Textarea
        label="Entries"
        placeholder={'example.com\njane@example.com,"left the company"\n203.0.113.7'}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setFile(null);
        }}
        rows={8}
        spellCheck={false}
        data-autofocus
      />
      <div className={dialog.file}>
        <FileButton onChange={setFile} accept=".csv,.txt,text/csv,text/plain">
          {(props) => (
            <Button {...props} variant="default" size="xs">
              Choose a file
            </Button>
          )}
        </FileButton>
        <span role="status">{file ? `${file.name} selected` : 'or drop one here'}</span>
      </div>
    </FormDialog>
  );
}
