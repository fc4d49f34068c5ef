import { Check, ChevronDown, Search } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { count } from '../../lib/format.ts';
import { LONGEST_LIST, SEARCHED_ABOVE } from '../../lib/search-params.ts';
import { Popup } from '../../ui/Popup.tsx';
import styles from './FilterBar.module.css';
import {
  type FacetKey,
  type FacetOption,
  facetValue,
  isFacetValue,
  MOST_VALUES,
} from './facets.ts';

export interface FacetProps {
  readonly name: FacetKey;
  readonly label: string;
  readonly options: readonly FacetOption[];
  /** There may be values that the options lack. */
  readonly hasMore: boolean;
  readonly isLoaded: boolean;
  readonly chosen: readonly string[];
  readonly onToggle: (value: string) => void;
}

/** A filter as a button that opens the list of its values. */
export function Facet(props: FacetProps) {
  const { label, chosen } = props;
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className={styles.trigger}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-on={chosen.length > 0 || undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
        {chosen.length > 0 && <b>{chosen.length}</b>}
        <ChevronDown size={13} aria-hidden />
      </button>
      {isOpen && (
        <Popup
          anchor={anchor}
          takesFocus
          role="dialog"
          aria-label={label}
          className={styles.popup}
          onClose={() => setOpen(false)}
        >
          <FacetOptions {...props} />
        </Popup>
      )}
    </>
  );
}

/** The values of a filter with a check box and the number of findings. */
export function FacetOptions(props: FacetProps) {
  const { name, label, options, hasMore, isLoaded, chosen, onToggle } = props;
  const [text, setText] = useState('');
  const noteId = useId();
  const isFull = chosen.length >= LONGEST_LIST;
  const most = options[0]?.count ?? 1;
  const wanted = text.trim().toLowerCase();
  const found = options.filter(({ value }) =>
    `${value} ${facetValue(name, value)}`.toLowerCase().includes(wanted),
  );
  // Names of projects have no capital letters.
  const typed = name === 'project' ? wanted : text.trim();
  const isOffered =
    hasMore && isFacetValue(name, typed) && !options.some(({ value }) => value === typed);
  const shown = isOffered ? [...found, { value: typed, count: undefined }] : found;
  return (
    <>
      {options.length > SEARCHED_ABOVE && (
        <label className={styles.find}>
          <Search size={13} aria-hidden />
          <input
            type="search"
            aria-label={`Search ${label}`}
            aria-describedby={hasMore ? noteId : undefined}
            placeholder="Search"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
      )}
      {isFull && (
        <p role="status" className={styles.noOption}>
          At most {LONGEST_LIST} values can be chosen.
        </p>
      )}
      {hasMore && (
        <p id={noteId} className={styles.noOption}>
          {`At most ${MOST_VALUES} values are listed, the most frequent ones. Enter the full ${name === 'rule' ? 'id' : 'name'} of any other.`}
        </p>
      )}
      <div className={styles.options}>
        {shown.map(({ value, count: size }) => (
          <label key={value} className={styles.option} title={value}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              disabled={isFull && !chosen.includes(value)}
              onChange={() => onToggle(value)}
            />
            <span className={styles.box} aria-hidden="true">
              <Check size={11} strokeWidth={3} />
            </span>
            <span className={styles.optionLabel}>{facetValue(name, value)}</span>
            {size !== undefined && (
              <>
                <svg className={styles.share} viewBox="0 0 40 4" aria-hidden="true">
                  <rect width="40" height="4" rx="2" opacity=".18" />
                  <rect width={Math.max(2, (40 * size) / Math.max(1, most))} height="4" rx="2" />
                </svg>
                <span className={styles.size}>{count(size)}</span>
              </>
            )}
          </label>
        ))}
        {shown.length === 0 && (
          <p className={styles.noOption}>{isLoaded ? 'No values' : 'Not loaded yet'}</p>
        )}
      </div>
    </>
  );
}
