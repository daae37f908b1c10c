import { type FormEvent, useState } from 'react'
import type { TokenUser } from '../../../shared/api/users.ts'
import { pageConfig } from '../../lib/config.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyMail } from '../../lib/lazy.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { useSession } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { setTheme, type Theme, useTheme } from '../../lib/theme.ts'
import { type SizeUnits, sizeUnits } from '../../lib/units.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { DisplayFields, LanguageField } from '../../ui/user-fields.tsx'
import { README_CHOICES, type ReadmeChoice, readmePreference } from '../files/items/readme-preference.ts'
import { type Density, setDensity, useDensity } from '../files/listing/density.ts'
import { setAskBeforeDeleting, useAskBeforeDeleting } from '../files/operations/ask-before-deleting.ts'
import { type Profile, updateProfile } from './api/profile.ts'
import { useDraft, useUnsavedGuard } from './draft.ts'
import { ExportCard } from './export-card.tsx'
import { RecentCard } from './recent-card.tsx'

const AddressCard = lazyMail(() => import('./mail/address-card.tsx'))

/** What users choose for themselves, and their address. */
export default function ProfilePage() {
  const { user } = useSession()
  if (!user) return null
  return (
    <>
      <ProfileCard user={user} />
      <BrowserCard />
      <RecentCard />
      {pageConfig.Mail && <AddressCard />}
      <ExportCard />
    </>
  )
}

function profileOf({ locale, hideDotfiles, singleClick, dateFormat }: Profile): Profile {
  return { locale, hideDotfiles, singleClick, dateFormat }
}

function ProfileCard({ user }: { user: TokenUser }) {
  const draft = useDraft(profileOf(user), profileOf)
  const online = useOnline()
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
          <Button type="submit" kind="primary" busy={busy} disabled={!online}>
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

/** Words of technical English in all languages. */
const UNITS: readonly Choice<SizeUnits>[] = [
  { value: 'binary', label: 'KiB, MiB, GiB (1024)' },
  { value: 'decimal', label: 'KB, MB, GB (1000)' },
]

/** Theme, density, units and questions of this browser; they apply at once and only here. */
function BrowserCard() {
  const theme = useTheme()
  const density = useDensity()
  const asks = useAskBeforeDeleting()
  const units = useStore(sizeUnits.store)
  const note = useStore(readmePreference.store)
  const notes = README_CHOICES.map((value): Choice<ReadmeChoice> => ({ value, label: t(`readme.choice.${value}`) }))
  const themes: Choice<Theme>[] = [
    { value: 'light', label: t('nav.themeLight') },
    { value: 'dark', label: t('nav.themeDark') },
    { value: 'auto', label: t('nav.themeAuto') },
  ]
  const densities: Choice<Density>[] = [
    { value: 'comfortable', label: t('fields.densityComfortable') },
    { value: 'compact', label: t('fields.densityCompact') },
  ]
  return (
    <Card title={t('settings.browser')} text={t('settings.browserText')}>
      <SelectField label={t('fields.theme')} choices={themes} value={theme} onChange={among(themes, setTheme)} />
      <SelectField
        label={t('fields.density')}
        choices={densities}
        value={density}
        onChange={among(densities, setDensity)}
      />
      <SelectField
        label={t('settings.sizeUnits')}
        choices={UNITS}
        value={units}
        onChange={among(UNITS, sizeUnits.choose)}
      />
      <SelectField
        label={t('readme.label')}
        choices={notes}
        value={note}
        onChange={among(notes, readmePreference.choose)}
      />
      {pageConfig.Trash && (
        <Checkbox label={t('settings.askBeforeDeleting')} checked={asks} onChange={setAskBeforeDeleting} />
      )}
    </Card>
  )
}

interface Choice<T> {
  value: T
  label: string
}

/** Forwards valid options only. */
function among<T extends string>(choices: readonly Choice<T>[], choose: (value: T) => void): (value: string) => void {
  return value => {
    const choice = choices.find(known => known.value === value)
    if (choice) choose(choice.value)
  }
}
