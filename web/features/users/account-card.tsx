import type { User } from '../../../shared/api/users.ts'
import { t } from '../../lib/i18n/index.ts'
import type { Problems } from '../../lib/refusal.ts'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../../ui/form.module.css'
import { NewPasswordField } from '../../ui/new-password-field.tsx'
import { ScopeField } from '../settings/scope-field.tsx'
import type { UserDraft } from './user-draft.ts'

export interface AccountCardProps {
  value: UserDraft
  onChange: (part: Partial<UserDraft>) => void
  problems: Problems
  /** Parent folder of home folders, when a new user may get one. */
  homes: string | undefined
  /** Whether the user sets the password, by an invitation. */
  isInvited: boolean
}

/** Name, password and scope of a user. */
export function AccountCard({ value, onChange, problems, homes, isInvited }: AccountCardProps) {
  const { user } = value
  const set = (part: Partial<User>) => onChange({ user: { ...user, ...part } })
  const isNew = user.id === 0
  return (
    <Card title={t('users.account')}>
      <div className={styles.pair}>
        <TextField
          label={t('auth.username')}
          error={problems.username}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          data-field="username"
          value={user.username}
          onChange={event => set({ username: event.target.value })}
        />
        {!isInvited && (
          <NewPasswordField
            label={t('auth.password')}
            error={problems.password}
            placeholder={isNew ? undefined : t('users.blankPassword')}
            autoComplete="new-password"
            data-field="password"
            value={user.password}
            onChange={event => set({ password: event.target.value })}
          />
        )}
      </div>
      <ScopeFields value={value} onChange={onChange} problems={problems} homes={homes} />
      <Checkbox
        label={t('users.lockPassword')}
        hint={user.perm.admin ? t('users.lockPasswordWhy') : undefined}
        checked={user.lockPassword}
        disabled={user.perm.admin}
        onChange={lockPassword => set({ lockPassword })}
      />
    </Card>
  )
}

/** Checking the home folder clears and disables the scope, unchecking restores it. */
function ScopeFields({ value, onChange, problems, homes }: Omit<AccountCardProps, 'isInvited'>) {
  const { user, ownHome } = value
  return (
    <>
      <ScopeField
        name="scope"
        value={ownHome ? '' : user.scope}
        error={problems.scope}
        disabled={ownHome}
        onChange={scope => onChange({ user: { ...user, scope } })}
      />
      {homes !== undefined && (
        <Checkbox
          label={t('users.ownHome')}
          hint={t('users.ownHomeHint', { folder: homes })}
          checked={ownHome}
          onChange={checked => onChange({ ownHome: checked })}
        />
      )}
    </>
  )
}
