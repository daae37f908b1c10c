import { type FormEvent, useRef, useState } from 'react'
import { pageConfig } from '../../lib/config.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyMail, lazyPart, lazySignIn } from '../../lib/lazy.ts'
import { notify } from '../../lib/notices.ts'
import { loadPeople } from '../../lib/people.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { navigate } from '../../lib/router.tsx'
import { endSession, sessionStore } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorSummary } from '../../ui/error-summary.tsx'
import styles from '../../ui/form.module.css'
import { CircleHelp, Trash2 } from '../../ui/icons.ts'
import { PermissionGrid } from '../../ui/permission-grid.tsx'
import { RulesEditor } from '../../ui/rules/editor.tsx'
import { CommandsField, DisplayFields, LanguageField, ViewModeField } from '../../ui/user-fields.tsx'
import { inviteUser } from '../settings/api/mail.ts'
import { useDraft, useUnsavedGuard } from '../settings/draft.ts'
import { AccountCard } from './account-card.tsx'
import { reloadUsers } from './api/users.ts'
import { SavingBar } from './saving-bar.tsx'
import { useSaving } from './use-saving.ts'
import { type UserDraft, wireOf } from './user-draft.ts'

const LIST = '/settings/users'
const FactorsCard = lazySignIn(() => import('../settings/factors/factors-card.tsx'))
const Invitation = lazyMail(() => import('./invitation.tsx'))
const OneTimeLink = lazyMail(() => import('./one-time-link.tsx'))
const UserGroupCards = lazyPart(() => loadPeople(() => import('./groups/user-cards.tsx')))
const DisableCard = lazyPart(() => loadPeople(() => import('./disable-card.tsx')))
const HomeCard = lazyPart(() => loadPeople(() => import('./home-card.tsx')))
const QuotaCard = lazyPart(() => loadPeople(() => import('./quota-card.tsx')))
const TokensCard = lazyPart(() => import('../settings/tokens/tokens-card.tsx'))

export interface UserFormProps {
  start: () => UserDraft
  /** Parent folder of home folders, when a new user may get one. */
  homes: string | undefined
}

/** The state of the form, with its save and leave handlers. */
function useUserForm(start: () => UserDraft) {
  const draft = useDraft(start, wireOf)
  const { user } = draft.value
  const isNew = user.id === 0
  const form = useRef<HTMLFormElement>(null)
  const release = useUnsavedGuard(draft.dirty)
  const saving = useSaving()
  const invitation = useInvitation()
  const leave = async (to: string) => {
    release()
    await reloadUsers()
    await navigate(to)
  }
  const submit = async () => {
    if (saving.busy || !(isNew || draft.dirty)) return
    if (invitation.isWrong()) return
    const password = invitation.address === undefined ? {} : { password: unknownPassword() }
    const done = await saving.save(wireOf(draft.saved), { ...wireOf(draft.value), ...password })
    if (!done) return
    if (isNew) await invitation.send(done.location, saving.confirmation.password)
    notify('success', t(isNew ? 'users.created' : 'users.updated'))
    if (isNew) return leave(done.location)
    draft.settle({ user: { ...user, password: '' } })
    form.current?.focus()
    await reloadUsers()
  }
  const discard = () => {
    saving.clear()
    draft.discard()
    form.current?.focus()
  }
  return { draft, isNew, form, saving, invitation, leave, submit, discard }
}

/** The user editor. */
export function UserForm({ start, homes }: UserFormProps) {
  const { draft, isNew, form, saving, invitation, leave, submit, discard } = useUserForm(start)
  const { value, change } = draft
  const { problems, confirmation, busy } = saving
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }
  return (
    <form ref={form} className={styles.form} tabIndex={-1} noValidate onSubmit={onSubmit}>
      <ErrorSummary problems={problems} nameOf={nameOfField} />
      <AccountCard
        value={value}
        onChange={change}
        problems={problems}
        homes={homes}
        isInvited={invitation.address !== undefined}
      />
      {pageConfig.Mail && <Invitation {...(isNew ? invitation.field : { userId: value.user.id })} />}
      {!isNew && pageConfig.LoginPage && !draft.saved.user.lockPassword && <OneTimeLink userId={value.user.id} />}
      <InterfaceCard value={value} onChange={change} />
      <RightsCards value={value} onChange={change} problems={problems} />
      {!isNew && pageConfig.LoginPage && <FactorsCard userId={value.user.id} />}
      {!isNew && <UserGroupCards userId={value.user.id} />}
      {!isNew && <QuotaCard owner={{ kind: 'users', id: value.user.id }} />}
      {!isNew && <HomeCard id={value.user.id} />}
      {!isNew && <TokensCard userId={value.user.id} />}
      {!isNew && value.user.id !== sessionStore.get().user?.id && <DisableCard id={value.user.id} />}
      {!isNew && <DeleteCard draft={value} onDeleted={() => void afterDelete(value.user.id, leave)} />}
      <SavingBar
        {...{ isNew, busy, confirmation }}
        dirty={draft.dirty}
        onCancel={isNew ? () => void navigate(LIST) : discard}
      />
    </form>
  )
}

/** The invitation of a new user. */
function useInvitation() {
  const [address, setAddress] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const onChange = (value: string | undefined) => {
    setAddress(value)
    setProblem(undefined)
  }
  const isWrong = () => {
    const wrong = address !== undefined && !/^[^\s@]+@[^\s@]+$/.test(address.trim())
    if (wrong) setProblem(t('fields.invalid'))
    return wrong
  }
  /** Shows why one was refused; the page of the user can send another. */
  const send = async (location: string, password: string | undefined) => {
    if (address === undefined) return
    const id = Number(location.split('/').pop())
    await inviteUser(id, address.trim(), password).catch((error: unknown) => notify('error', errorText(error)))
  }
  return { address, field: { value: address, onChange, problem }, isWrong, send }
}

/** Of a user who sets the password by an invitation. */
const unknownPassword = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(48))))

async function afterDelete(id: number, leave: (to: string) => Promise<void>): Promise<void> {
  notify('success', t('users.deleted'))
  if (id === sessionStore.get().user?.id) return endSession('logout')
  await leave(LIST)
}

interface PartProps {
  value: UserDraft
  onChange: (part: Partial<UserDraft>) => void
}

function InterfaceCard({ value: { user }, onChange }: PartProps) {
  const set = (part: Partial<UserDraft['user']>) => onChange({ user: { ...user, ...part } })
  return (
    <Card title={t('settings.display')}>
      <div className={styles.pair}>
        <LanguageField value={user.locale} onChange={locale => set({ locale })} />
        <ViewModeField value={user.viewMode} onChange={viewMode => set({ viewMode })} />
      </div>
      <DisplayFields value={user} onChange={set} />
    </Card>
  )
}

function RightsCards({ value, onChange, problems }: PartProps & { problems: Readonly<Record<string, string>> }) {
  const { user } = value
  const setPerm = (perm: UserDraft['user']['perm']) =>
    onChange({ user: { ...user, perm, lockPassword: user.lockPassword && !perm.admin } })
  return (
    <>
      <Card title={t('permissions.title')}>
        <PermissionGrid value={user.perm} onChange={setPerm} error={problems.perm} />
        {pageConfig.EnableExec && (
          <CommandsField
            value={value.commands}
            onChange={commands => onChange({ commands })}
            error={problems.commands}
          />
        )}
      </Card>
      <Card title={t('settings.rules')} text={t('users.rulesText')}>
        <RulesEditor value={value.rules} onChange={rules => onChange({ rules })} problems={problems} />
        {user.id !== 0 && (
          <Button
            className={styles.start}
            icon={<CircleHelp size={18} aria-hidden />}
            onClick={() => openPrompt('explainAccess', { path: '/', username: user.username })}
          >
            {t('details.explainAccess')}
          </Button>
        )}
      </Card>
    </>
  )
}

function DeleteCard({ draft, onDeleted }: { draft: UserDraft; onDeleted: () => void }) {
  const { id, username, perm } = draft.user
  return (
    <Card title={t('users.deleteSection')} text={t('users.deleteHint')}>
      <Button
        kind="danger"
        className={styles.start}
        icon={<Trash2 size={18} aria-hidden />}
        onClick={() => openPrompt('deleteUser', { id, username, isAdmin: perm.admin, onDeleted })}
      >
        {t('actions.delete')}
      </Button>
    </Card>
  )
}

/** Display name of a user's field; an element of a list has its number. */
function nameOfField(field: string): string {
  const rule = /^rules\[(\d+)\]/.exec(field)?.[1]
  if (rule !== undefined) return t('rules.number', { number: Number(rule) + 1 })
  const names: Record<string, string> = {
    username: t('auth.username'),
    password: t('auth.password'),
    scope: t('fields.scope'),
    perm: t('permissions.title'),
    commands: t('fields.commands'),
  }
  return names[field] ?? field
}
