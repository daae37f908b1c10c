import { useState } from 'react'
import type { RenameStep } from '../../../shared/rename-steps.ts'
import { t } from '../../lib/i18n/index.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ListOrdered } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import styles from './rename-many.module.css'
import { forgetSteps, savedSteps, saveSteps } from './saved-steps.ts'

interface SavedProps {
  steps: readonly RenameStep[]
  onUse: (steps: readonly RenameStep[]) => void
}

/** The saved steps, and a field to save the current ones. */
export function Saved({ steps, onUse }: SavedProps) {
  const saved = useStore(savedSteps)
  const [name, setName] = useState<string>()
  if (name !== undefined) {
    const submit = () => {
      if (name.trim() !== '') saveSteps(name.trim(), steps)
      setName(undefined)
    }
    return (
      <form
        className={styles.save}
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={t('renameMany.saveAs')}
          value={name}
          maxLength={60}
          autoFocus
          onChange={event => setName(event.currentTarget.value)}
        />
        <Button type="submit">{t('renameMany.save')}</Button>
      </form>
    )
  }
  const entries = [
    ...saved.map(each => ({ id: `use ${each.name}`, label: each.name, run: () => onUse(each.steps) })),
    { id: 'save', label: t('renameMany.saveThese'), separated: saved.length > 0, run: () => setName('') },
    ...saved.map((each, index) => ({
      id: `forget ${each.name}`,
      label: t('renameMany.forget', { name: each.name }),
      separated: index === 0,
      danger: true,
      run: () => forgetSteps(each.name),
    })),
  ]
  return (
    <MenuButton label={t('renameMany.saved')} text={t('renameMany.saved')} className={styles.add} entries={entries}>
      <ListOrdered size={18} aria-hidden />
    </MenuButton>
  )
}
