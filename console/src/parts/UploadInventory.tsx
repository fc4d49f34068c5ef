import type { Inventory } from '@cspm/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../lib/error-text.ts';
import { bytes, count, plural } from '../lib/format.ts';
import { FileError } from '../lib/inventory-file.ts';
import { Button } from '../ui/Button.tsx';
import { Meter } from '../ui/Card.tsx';
import { CodeLine } from '../ui/CodeLine.tsx';
import { FormError } from '../ui/Field.tsx';
import { DropZone } from './DropZone.tsx';
import { LeavePrompt } from './LeavePrompt.tsx';
import styles from './parts.module.css';
import { type UploadStep, uploadInventory } from './upload-inventory.ts';

interface UploadProps {
  readonly project: string;
  readonly onUploaded?: (inventory: Inventory) => void;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy'; readonly file: File; readonly step: UploadStep }
  | { readonly kind: 'failed'; readonly file: File; readonly error: unknown }
  | { readonly kind: 'done'; readonly inventory: Inventory };

/** Uploads an inventory by drag and drop or by choosing a file, with progress, and shows the command that does the same. */
export function UploadInventory({ project, onUploaded }: UploadProps) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const upload = async (file: File) => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const show = (next: State) => signal.aborted || setState(next);
    try {
      const inventory = await uploadInventory(project, file, signal, (step) =>
        show({ kind: 'busy', file, step }),
      );
      show({ kind: 'done', inventory });
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
      onUploaded?.(inventory);
    } catch (error) {
      show({ kind: 'failed', file, error });
    }
  };
  const cancel = () => {
    running.current?.abort();
    setState({ kind: 'idle' });
  };

  return (
    <div className={styles.form}>
      <LeavePrompt
        wouldLose={() => state.kind === 'busy'}
        title="Leave and stop the upload?"
        confirm="Stop the upload"
      >
        The inventory is not uploaded completely. Leaving this page stops the upload.
      </LeavePrompt>
      {state.kind === 'busy' ? (
        <Progress file={state.file} step={state.step} onCancel={cancel} />
      ) : (
        <>
          {state.kind === 'done' && <Done inventory={state.inventory} />}
          {state.kind === 'failed' && (
            <>
              <FormError>
                {state.error instanceof FileError ? state.error.message : errorText(state.error)}
              </FormError>
              <div>
                <Button onClick={() => void upload(state.file)}>
                  Upload {state.file.name} again
                </Button>
              </div>
            </>
          )}
          <DropZone
            title="Drop an inventory here"
            label="Inventory file"
            accept=".json,.ndjson,.jsonl,.gz,application/json,application/x-ndjson"
            onFile={(file) => void upload(file)}
          >
            A Cloud Asset Inventory export as NDJSON or JSON, or a Terraform plan in JSON, plain or
            gzipped. It is compressed in the browser.
          </DropZone>
        </>
      )}
      <div className={styles.progress}>
        <p className={styles.note}>
          In a checkout of the repository of this service, with an{' '}
          <Link to="/api-keys">API key</Link> in <code>CSPM_API_KEY</code>, this command uploads the
          file and scans it:
        </p>
        <CodeLine
          label="Copy the command"
          text={`CSPM_URL=${location.origin} npm run cspm -- scan --project ${project} --inventory export.ndjson`}
        />
      </div>
    </div>
  );
}

const STEP_TEXT: Record<UploadStep['name'], string> = {
  compress: 'Compressing',
  send: 'Uploading',
  process: 'The server reads the inventory',
};

function Progress(props: {
  readonly file: File;
  readonly step: UploadStep;
  readonly onCancel: () => void;
}) {
  const { file, step, onCancel } = props;
  const percent = step.done === null ? '' : ` ${Math.floor(step.done * 100)} %`;
  return (
    <div className={styles.progress}>
      <div className={styles.progressText}>
        <span>
          <b>{file.name}</b> <span className={styles.note}>{bytes(file.size)}</span>
        </span>
        <span className={styles.note} role="status">
          {STEP_TEXT[step.name]}
          <span aria-hidden="true">{percent}</span>
        </span>
      </div>
      <Meter label={`Upload of ${file.name}`} value={step.done} />
      <div>
        <Button onClick={onCancel}>Cancel upload</Button>
      </div>
    </div>
  );
}

function Done({ inventory }: { readonly inventory: Inventory }) {
  const { assets, assetTypes, warnings, truncated } = inventory;
  const types = `${count(assetTypes.length)}${truncated && assetTypes.length >= 100 ? ' or more' : ''}`;
  return (
    <>
      <div className={styles.done} role="status">
        <CircleCheck size={18} aria-hidden />
        <span>
          Uploaded {plural(assets, 'asset')} of {types} {assetTypes.length === 1 ? 'type' : 'types'}
          .
        </span>
      </div>
      <UploadWarnings warnings={warnings} />
    </>
  );
}

/** Records of an upload that were ignored or need attention; nothing if there is none. */
export function UploadWarnings({ warnings }: Pick<Inventory, 'warnings'>) {
  if (warnings.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls needs the keyboard
    <ul className={styles.warnings} aria-label="Warnings of the upload" tabIndex={0}>
      {warnings.map(({ line, message }) => (
        <li key={`${line} ${message}`}>
          Line {count(line)}: {message}
        </li>
      ))}
    </ul>
  );
}
