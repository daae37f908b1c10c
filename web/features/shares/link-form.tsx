import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { EditRight, LinkChange, LinkKind, Sender, ShareLink } from '../../../shared/api/shares.ts'
import { MAX_LINK_LABEL, MAX_PASSWORD_BYTES } from '../../../shared/limits.ts'
import { ApiError } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ExpiryFields } from '../../ui/expiry-fields.tsx'
import { describeExpiry, type ExpiryInput, longestExpiry, parseExpiry } from '../../ui/expiry-input.ts'
import { TextField } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { KindField } from './kind-field.tsx'
import styles from './link-form.module.css'
import { isNamesProblem, type NamesProblem, namesOf, parseNames } from './names.ts'
import { NamesFields } from './names-fields.tsx'
import { rightsOf, rightsText } from './rights.ts'
import { RightsField } from './rights-field.tsx'
import { type LimitName, parseTerms, termsOf } from './terms.ts'
import { NoteField, SenderField, TermsFields } from './terms-fields.tsx'

/** Id of the form, for a submit button outside of it. */
export const LINK_FORM = 'share-link'

export interface LinkFormProps {
  /** The link to change; none for a new one. */
  link: ShareLink | undefined
  /** Whether it leads to a folder. */
  isDir: boolean
  /** The kind of a new link that is chosen at first; to view by default. */
  first?: LinkKind | undefined
  /** The kinds of a new link to choose from. */
  kinds: readonly LinkKind[]
  /** What the user can let visitors of a link to edit do. */
  mayGive: readonly EditRight[]
  onBusy: (busy: boolean) => void
  /** Saves what was entered. @throws ApiError */
  save: (change: LinkChange, kind: LinkKind) => Promise<void>
}

/** An error with its field. */
interface Problem {
  at: 'rights' | 'expiry' | 'password' | LimitName | NamesProblem['at'] | 'form'
  text: string
}

/** Prompts for what a share link does, its end and its password, and shows a summary before it is saved. */
export function LinkForm(props: LinkFormProps) {
  const { link, isDir, kinds, mayGive, onBusy, save } = props
  const { first: firstKind = kinds[0] ?? 'view' } = props
  const { maxDays, password: wants } = pageConfig.Links
  const [kind, setKind] = useState<LinkKind>(link?.kind ?? firstKind)
  const [rights, setRights] = useState(() => rightsOf(link, isDir))
  const [label, setLabel] = useState(link?.label ?? '')
  const [names, setNames] = useState(() => namesOf(link))
  const [terms, setTerms] = useState(() => termsOf(link))
  const [visitor, setVisitor] = useState<Sender>(link?.sender ?? 'no')
  const [expiry, setExpiry] = useState<ExpiryInput>(
    link?.expire ? { choice: 'same', date: '' } : longestExpiry(maxDays),
  )
  const [isLocked, setLocked] = useState(link?.hasPassword ?? false)
  const [password, setPassword] = useState('')
  const [isOpen, setOpen] = useState(() => link !== undefined && hasMore(link))
  const [problem, setProblem] = useState<Problem>()
  const first = useRef<HTMLSelectElement>(null)
  const dateField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const online = useOnline()
  useEffect(() => first.current?.focus({ preventScroll: true }), [])

  const refuse = (found: Problem) => {
    setProblem(found)
    onBusy(false)
    if (!VISIBLE.includes(found.at)) setOpen(true)
    if (found.at === 'expiry') (dateField.current ?? first.current)?.focus()
    if (found.at === 'password') passwordField.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (kind === 'edit' && rights.length === 0) return refuse({ at: 'rights', text: t('links.rightsMissing') })
    const expire = parseExpiry(expiry, Date.now(), link?.expire)
    if (typeof expire === 'string') return refuse({ at: 'expiry', text: t(expire) })
    if (expiry.choice === 'date' && isBeyond(expire, maxDays)) return refuse({ at: 'expiry', text: tooLong(maxDays) })
    const parsed = kind === 'drop' ? parseTerms(terms) : changedNote(link, terms.note.trim())
    if (typeof parsed === 'string') return refuse({ at: parsed, text: '' })
    const named = parseNames(names, { link, kind, isLocked: isLocked || password.trim() !== '' })
    if (isNamesProblem(named)) return refuse(named)
    if (wants === 'required' && !link?.hasPassword && password.trim() === '')
      return refuse({ at: 'password', text: t('links.passwordNeeded') })
    if (isTooLong(password.trim())) return refuse({ at: 'password', text: t('shares.passwordLong') })
    setProblem(undefined)
    onBusy(true)
    try {
      const change = {
        ...changedLabel(link, label.trim()),
        ...changedRights(link, kind, rights),
        ...changedSender(link, kind, visitor),
        ...parsed,
        ...named,
        ...changedPassword(link, isLocked, password.trim()),
      }
      await save({ ...(expiry.choice !== 'same' && { expire }), ...change }, kind)
      onBusy(false)
    } catch (error) {
      refuse(refusal(error))
    }
  }
  const problemAt = (field: Problem['at']) => (problem?.at === field ? problem.text : undefined)
  return (
    <form id={LINK_FORM} className={styles.form} onSubmit={event => void submit(event)} noValidate>
      {!link && kinds.length > 1 && <KindField kinds={kinds} isDir={isDir} value={kind} onChange={setKind} />}
      {kind === 'edit' && isDir && (
        <RightsField
          value={rights}
          mayGive={mayGive}
          error={problemAt('rights')}
          onChange={next => {
            setRights(next)
            setProblem(undefined)
          }}
        />
      )}
      {kind === 'drop' && (
        <>
          <LabelField kind={kind} value={label} onChange={setLabel} />
          <NoteField hint={t('links.noteHint')} value={terms.note} onChange={note => setTerms({ ...terms, note })} />
        </>
      )}
      <ExpiryFields
        ref={first}
        dateRef={dateField}
        mayStay={link !== undefined && link.expire !== 0}
        mostDays={maxDays}
        value={expiry}
        error={problemAt('expiry')}
        onChange={next => {
          setExpiry(next)
          setProblem(undefined)
        }}
      />
      {link?.hasPassword && wants !== 'required' && (
        <Checkbox label={t('shares.lock')} checked={isLocked} onChange={setLocked} />
      )}
      {(isLocked || !link?.hasPassword) && (
        <PasswordField
          ref={passwordField}
          label={t('shares.password')}
          hint={t(link?.hasPassword ? 'shares.keepPassword' : PASSWORD_HINTS[wants])}
          value={password}
          error={problemAt('password')}
          autoComplete="new-password"
          onChange={event => {
            setPassword(event.target.value)
            setProblem(undefined)
          }}
        />
      )}
      <details className={styles.more} open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary className={styles.moreTitle}>{t('links.more')}</summary>
        <div className={styles.form}>
          {kind === 'drop' ? (
            <TermsFields
              value={terms}
              wrong={problem && isLimit(problem.at) ? problem.at : undefined}
              onChange={next => {
                setTerms(next)
                setProblem(undefined)
              }}
            />
          ) : (
            <>
              {kind === 'edit' && <SenderField label={t('links.visitor')} value={visitor} onChange={setVisitor} />}
              <LabelField kind={kind} value={label} onChange={setLabel} />
              <NoteField
                hint={t('links.messageHint')}
                value={terms.note}
                onChange={note => setTerms({ ...terms, note })}
              />
            </>
          )}
          <NamesFields
            kind={kind}
            value={names}
            problemAt={problemAt}
            onChange={next => {
              setNames(next)
              setProblem(undefined)
            }}
          />
        </div>
      </details>
      <p className={styles.summary} role="status">
        <Summary
          kind={kind}
          rights={rights}
          isDir={isDir}
          expire={parseExpiry(expiry, Date.now(), link?.expire)}
          locked={isLocked || password.trim() !== ''}
        />
      </p>
      <p className={styles.problem} role="alert">
        {online ? problemAt('form') : t('errors.offline')}
      </p>
    </form>
  )
}

/** Problems of fields that are always shown. */
const VISIBLE: readonly Problem['at'][] = ['rights', 'expiry', 'password', 'form']

/** Whether a link has what the folded fields are for. */
function hasMore({ kind, label, note, sender = 'no', slug, maxDownloads, previewOnly, ...limits }: ShareLink): boolean {
  const { maxItems, maxFileBytes, maxBytes } = limits
  const few = [slug, maxDownloads, previewOnly, maxItems, maxFileBytes, maxBytes]
  const said = kind === 'drop' ? [] : [label, note]
  return sender !== 'no' || [...few, ...said].some(value => value !== undefined && value !== null)
}

interface LabelFieldProps {
  kind: LinkKind
  value: string
  onChange: (value: string) => void
}

/** The name of a link for its owner; of a file request, the title that visitors see. */
function LabelField({ kind, value, onChange }: LabelFieldProps) {
  return (
    <TextField
      label={t(kind === 'drop' ? 'links.title' : 'links.label')}
      hint={t(kind === 'drop' ? 'links.titleHint' : 'links.labelHint')}
      value={value}
      maxLength={MAX_LINK_LABEL}
      autoComplete="off"
      onChange={event => onChange(event.target.value)}
    />
  )
}

const LIMITS: readonly Problem['at'][] = ['maxItems', 'maxFileSize', 'maxSize'] satisfies LimitName[]

const isLimit = (at: Problem['at']): at is LimitName => LIMITS.includes(at)

/** The label of the change: none where it stays. */
const changedLabel = (link: ShareLink | undefined, label: string): LinkChange =>
  label === (link?.label ?? '') ? {} : { label }

/** The message of a link to view: none where it stays. */
const changedNote = (link: ShareLink | undefined, note: string): LinkChange =>
  note === (link?.note ?? '') ? {} : { note }

/** The rights of a link to edit: none where they stay. */
function changedRights(link: ShareLink | undefined, kind: LinkKind, rights: readonly EditRight[]): LinkChange {
  const stays = kind !== 'edit' || rights.join() === link?.rights?.join()
  return stays ? {} : { rights: [...rights] }
}

/** Whether a link to edit asks for names: none where that stays. */
const changedSender = (link: ShareLink | undefined, kind: LinkKind, sender: Sender): LinkChange =>
  kind !== 'edit' || sender === (link?.sender ?? 'no') ? {} : { sender }

/** The password of the change: none where the link keeps what it has. */
function changedPassword(link: ShareLink | undefined, isLocked: boolean, password: string): LinkChange {
  if (link?.hasPassword && !isLocked) return { password: null }
  return password === '' ? {} : { password }
}

interface SummaryProps {
  kind: LinkKind
  rights: readonly EditRight[]
  isDir: boolean
  expire: ReturnType<typeof parseExpiry>
  locked: boolean
}

/** Summary of the share link. */
function Summary({ kind, rights, isDir, expire, locked }: SummaryProps) {
  const { open, withPassword } = SUMMARIES[kind]
  return (
    <>
      {typeof expire === 'number' && <strong>{describeExpiry(expire, Date.now())} </strong>}
      <span>
        {t(locked ? withPassword : open)}
        {kind === 'edit' && ` ${rightsText(rights, isDir)}`}
      </span>
    </>
  )
}

const PASSWORD_HINTS = { optional: 'shares.passwordHint', required: 'links.passwordNeeded' } as const

/** Whether an end lies beyond what administrators allow. @param expire seconds since the epoch */
const isBeyond = (expire: number, mostDays: number) => mostDays !== 0 && expire > Date.now() / 1000 + mostDays * 86_400

const tooLong = (count: number) => t('links.tooLong', { count })

const SUMMARIES = {
  view: { open: 'shares.openToAll', withPassword: 'shares.openWithPassword' },
  edit: { open: 'links.editToAll', withPassword: 'links.editWithPassword' },
  drop: { open: 'links.dropToAll', withPassword: 'links.dropWithPassword' },
} as const

const isTooLong = (password: string) => new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES

const PASSWORD_REFUSALS = { optional: 'shares.passwordLong', required: 'links.passwordNeeded' } as const

/** The server's refusal, at the field it names. */
function refusal(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { at: 'form', text: errorText(error) }
  if (error.status === 403) return { at: 'form', text: t('shares.forbidden') }
  if (error.status === 409) return { at: 'slug', text: t('links.slugTaken') }
  const field = error.status === 400 ? /\b(?:slug|password|expires?)\b/.exec(error.message)?.[0] : undefined
  if (field === undefined) return { at: 'form', text: errorText(error) }
  if (field === 'slug') return { at: 'slug', text: t('links.slugLock') }
  if (field === 'password') return { at: 'password', text: t(PASSWORD_REFUSALS[pageConfig.Links.password]) }
  return { at: 'expiry', text: t('shares.datePast') }
}
