import type { FindingSummary } from '@cspm/sdk';
import { SlidersHorizontal, X } from 'lucide-react';
import { useState } from 'react';
import { visible } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { SEVERITY_LABEL } from '../../ui/Severity.tsx';
import { Facet, FacetOptions } from './Facet.tsx';
import styles from './FilterBar.module.css';
import { FACETS, type FacetKey, facetOptions, facetValue } from './facets.ts';
import { type FindingsSearch, NO_FILTERS, toggled } from './search.ts';

interface FilterProps {
  readonly search: FindingsSearch;
  readonly summary: FindingSummary | undefined;
  readonly onChange: (part: Partial<FindingsSearch>) => void;
}

/** Facets that have a button of their own on wide screens. */
const INLINE: readonly FacetKey[] = ['project', 'category', 'framework'];

/** The most used facets as buttons, and a dialog with all of them. */
export function Filters({ search, summary, onChange }: FilterProps) {
  const [isOpen, setOpen] = useState(false);
  const facets = FACETS.map(({ key, label }) => ({
    name: key,
    label,
    chosen: chosenOf(search, key),
    ...facetOptions(summary, key, chosenOf(search, key)),
    onToggle: (value: string) => onChange({ [key]: toggled<string>(search[key], value) }),
  }));
  const active = facets.filter(({ chosen }) => chosen.length > 0).length;
  return (
    <>
      <div className={styles.facets}>
        {facets
          .filter(({ name }) => INLINE.includes(name))
          .map((facet) => (
            <Facet key={facet.name} {...facet} />
          ))}
      </div>
      <Button
        className={styles.all}
        square
        aria-label={active === 0 ? 'All filters' : `All filters, ${active} active`}
        data-on={active > 0 || undefined}
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal size={15} aria-hidden />
      </Button>
      {/* Filters apply at once. */}
      <Dialog open={isOpen} title="Filters" wouldLose={false} onClose={() => setOpen(false)}>
        {facets.map((facet) => (
          <fieldset key={facet.name} className={styles.facetGroup}>
            <legend>{facet.label}</legend>
            <FacetOptions {...facet} />
          </fieldset>
        ))}
        <DialogActions>
          <Button kind="primary" onClick={() => setOpen(false)}>
            Show findings
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ search, onChange }: Omit<FilterProps, 'summary'>) {
  const lists = FACETS.flatMap(({ key, label }) =>
    chosenOf(search, key).map((value) => ({
      label,
      text: facetValue(key, value),
      remove: () => onChange({ [key]: toggled<string>(search[key], value) }),
    })),
  );
  const severities = (search.severity ?? []).map((level) => ({
    label: 'Severity',
    text: SEVERITY_LABEL[level],
    remove: () => onChange({ severity: toggled(search.severity, level) }),
  }));
  const single = (['q', 'asset', 'fingerprint', 'scan'] as const).flatMap((key) => {
    const text = search[key];
    return text === undefined
      ? []
      : [
          {
            label: SINGLE[key],
            text: key === 'fingerprint' ? `${text.slice(0, 12)}…` : visible(text),
            remove: () => onChange({ [key]: undefined }),
          },
        ];
  });
  const chips = [...severities, ...lists, ...single];
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {chips.map(({ label, text, remove }) => (
        <li key={label + text} className={styles.chip}>
          <span>{label}</span>
          <b>{text}</b>
          <button type="button" aria-label={`Remove ${label} ${text}`} onClick={remove}>
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={styles.clear} onClick={() => onChange(NO_FILTERS)}>
          Clear all
        </button>
      </li>
    </ul>
  );
}

const SINGLE = { q: 'Text', asset: 'Asset', fingerprint: 'Finding', scan: 'Scan' } as const;

function chosenOf(search: FindingsSearch, key: FacetKey): readonly string[] {
  return search[key] ?? [];
}
