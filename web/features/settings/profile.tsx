import { type FormEvent, useState } from 'react'
import type { TokenUser } from '../../../shared/api/users.ts'
import { useDraft } from '../../lib/draft.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useSession } from '../../lib/session.ts'
import { setTheme, type Theme, useTheme } from '../../lib/theme.ts'
import { useUnsavedGuard } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { DisplayFields, LanguageField } from '../../ui/user-fields.tsx'
import { type Profile, updateProfile } from './api/update-profile.ts'
import { PasswordCard } from './password-card.tsx'

/** What everybody may set of themselves (specification section 2). */
export default function ProfilePage() {
  const { user } = useSession()
  if (!user) return null
  return (
    <>
      <ProfileCard user={user} />
      <ThemeCard />
      {!user.lockPassword && <PasswordCard userId={user.id} username={user.username} />}
    </>
  )
}

function profileOf({ locale, hideDotfiles, singleClick, dateFormat }: Profile): Profile {
  return { locale, hideDotfiles, singleClick, dateFormat }
}

function ProfileCard({ user }: { user: TokenUser }) {
  const draft = useDraft(profileOf(user), profileOf)
  const [busy, setBusy] = useState(false)
  useUnsavedGuard(draft.dirty)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      await updateProfile(user.id, draft.value)
      draft.settle()
      notify('success', t('settings.updated'))
    } catch (error) {
      notify('error', errorText(error))
    }
    setBusy(false)
  }
  return (
    <form onSubmit={event => void submit(event)}>
      <Card
        title={t('settings.display')}
        footer={
          <Button type="submit" kind="primary" busy={busy}>
            {t('fields.update')}
          </Button>
        }
      >
        <DisplayFields value={draft.value} onChange={draft.change} />
        <LanguageField value={draft.value.locale} onChange={locale => draft.change({ locale })} />
      </Card>
    </form>
  )
}

/** The colours of this browser; they change at once and concern nobody else. */
function ThemeCard() {
  const theme = useTheme()
  const choices: { value: Theme; label: string }[] = [
    { value: 'light', label: t('nav.themeLight') },
    { value: 'dark', label: t('nav.themeDark') },
    { value: 'auto', label: t('nav.themeAuto') },
  ]
  const choose = (value: string) => {
    const choice = choices.find(known => known.value === value)
    if (choice) setTheme(choice.value)
  }
  return (
    <Card title={t('settings.browser')} text={t('settings.browserText')}>
      <SelectField label={t('fields.theme')} choices={choices} value={theme} onChange={choose} />
    </Card>
  )
}
