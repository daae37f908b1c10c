import { type KeyboardEvent, type RefObject, Suspense, useEffect, useId, useRef } from 'react'
import { MAX_QUERY_LENGTH } from '../../../shared/search-limits.ts'
import { t } from '../../lib/i18n/index.ts'
import { showKeys } from '../../lib/keyboard.ts'
import { lazyPart } from '../../lib/lazy.ts'
import { useWindowClass } from '../../lib/media.ts'
import { searchUrl } from '../../lib/route.ts'
import { currentFolder, currentRoute, navigate, useRoute } from '../../lib/router.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ArrowLeft, Search } from '../../ui/icons.ts'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './box.module.css'
import { changeSearch, currentSearch, forgetSearch, openSearch, useSearch } from './store.ts'
import { useSearchFocus } from './use-search-focus.ts'

const Panel = lazyPart(() => import('./panel.tsx'))

/** The search field of the top bar and, while it is open, its panel: below it, on small windows full-screen. */
export function SearchBox() {
  const { open } = useSearch()
  const narrow = useWindowClass() === 'narrow'
  const box = useRef<HTMLElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { close, cameFrom } = useSearchFocus(open, { box, input, opener })
  useEffect(() => forgetSearch, [])
  return (
    <search
      ref={box}
      className={styles.search}
      data-open={open || undefined}
      data-narrow={narrow || undefined}
      onFocus={event => cameFrom(event.relatedTarget)}
    >
      {narrow && !open && (
        <IconButton ref={opener} label={t('search.open')} aria-haspopup="dialog" onClick={openSearch}>
          <Search size={18} aria-hidden />
        </IconButton>
      )}
      {(open || !narrow) && (
        <div className={styles.line}>
          {narrow && (
            <IconButton label={t('search.close')} onClick={close}>
              <ArrowLeft size={18} aria-hidden />
            </IconButton>
          )}
          <Field input={input} box={box} />
        </div>
      )}
      {open && (
        <div className={styles.panel}>
          <Suspense fallback={<Spinner label={t('common.loading')} />}>
            <Panel input={input} onClose={close} />
          </Suspense>
        </div>
      )}
    </search>
  )
}

/** Shows the results on a page of their own. */
function openPage(): void {
  const { text, onlyHere, inContents } = currentSearch()
  const query = text.trim()
  const here = currentRoute()
  const folder = here.name === 'search' ? here.folder : currentFolder()
  if (query !== '') void navigate(searchUrl({ query, folder, everywhere: !onlyHere, inContents }))
}

interface FieldProps {
  input: RefObject<HTMLInputElement | null>
  box: RefObject<HTMLElement | null>
}

function Field({ input, box }: FieldProps) {
  const { open, text } = useSearch()
  const id = useId()
  const hint = useRoute().name === 'files' && text === '' && !open
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (open) box.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus()
    else openSearch()
  }
  return (
    <form
      className={styles.field}
      onSubmit={event => {
        event.preventDefault()
        openPage()
      }}
    >
      <Search size={16} className={styles.glass} aria-hidden />
      <label htmlFor={id} className="visually-hidden">
        {t('search.field')}
      </label>
      <input
        ref={input}
        id={id}
        type="search"
        className={styles.input}
        value={text}
        placeholder={t('search.field')}
        maxLength={MAX_QUERY_LENGTH}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        onClick={openSearch}
        onChange={event => changeSearch({ text: event.target.value, open: true })}
        onKeyDown={onKeyDown}
      />
      {hint && <kbd className={styles.key}>{showKeys('Ctrl+F')}</kbd>}
    </form>
  )
}
