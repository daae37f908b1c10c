import { type FormEvent, useRef } from 'react'
import type { Group } from '../../../../shared/api/groups.ts'
import type { Permissions } from '../../../../shared/permissions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import type { Problems } from '../../../lib/refusal.ts'
import { navigate } from '../../../lib/router.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorSummary } from '../../../ui/error-summary.tsx'
import { TextField } from '../../../ui/field.tsx'
import styles from '../../../ui/form.module.css'
import { Trash2 } from '../../../ui/icons.ts'
import { PermissionGrid } from '../../../ui/permission-grid.tsx'
import { RulesEditor } from '../../../ui/rules/editor.tsx'
import { draftRules, type RuleDraft, rulesOf } from '../../../ui/rules/rules.ts'
import { useDraft, useUnsavedGuard } from '../../settings/draft.ts'
import { reloadGroups } from '../api/groups.ts'
import QuotaCard from '../quota-card.tsx'
import { SavingBar } from '../saving-bar.tsx'
import { MembersCard } from './members-card.tsx'
import { groupName, isEveryone } from './names.ts'
import { useGroupSaving } from './use-group-saving.ts'

const LIST = '/settings/groups'

/** A group as the form holds it. */
interface GroupDraft {
  name: string
  description: string
  perm: Permissions
  rules: readonly RuleDraft[]
}

const draftOf = ({ name, description, perm, rules }: Group): GroupDraft => ({
  name,
  description,
  perm,
  rules: draftRules(rules),
})

const wireOf = ({ rules, name, ...fields }: GroupDraft) => ({ ...fields, name: name.trim(), rules: rulesOf(rules) })

function useGroupForm(group: Group, etag: string) {
  const draft = useDraft(() => draftOf(group), wireOf)
  const isNew = group.id === ''
  const form = useRef<HTMLFormElement>(null)
  const release = useUnsavedGuard(draft.dirty)
  const saving = useGroupSaving(isNew ? undefined : group.id, etag)
  const leave = async (to: string) => {
    release()
    await reloadGroups()
    await navigate(to)
  }
  const submit = async () => {
    if (saving.busy || !(isNew || draft.dirty)) return
    const saved = await saving.save(wireOf(draft.value))
    if (!saved) return
    notify('success', t(isNew ? 'audit.groupAdded' : 'audit.groupChanged'))
    if (isNew) return leave(`${LIST}/${saved.id}`)
    draft.settle({ name: saved.name })
    form.current?.focus()
    await reloadGroups()
  }
  const discard = () => {
    saving.clear()
    draft.discard()
    form.current?.focus()
  }
  return { draft, isNew, form, saving, leave, submit, discard }
}

/** The editor of a group. */
export function GroupForm({ group, etag }: { group: Group; etag: string }) {
  const { draft, isNew, form, saving, leave, submit, discard } = useGroupForm(group, etag)
  const { value, change } = draft
  const { problems, confirmation, busy } = saving
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }
  return (
    <form ref={form} className={styles.form} tabIndex={-1} noValidate onSubmit={onSubmit}>
      <ErrorSummary problems={problems} nameOf={nameOfField} />
      <FieldsCards group={group} value={value} onChange={change} problems={problems} />
      {!isNew && <QuotaCard owner={{ kind: 'groups', id: group.id }} />}
      {!isNew && !isEveryone(group) && (
        <>
          <MembersCard group={group} />
          <DeleteCard group={group} onDeleted={() => void leave(LIST)} />
        </>
      )}
      <SavingBar
        {...{ isNew, busy, confirmation }}
        dirty={draft.dirty}
        onCancel={isNew ? () => void navigate(LIST) : discard}
      />
    </form>
  )
}

interface FieldsProps {
  group: Group
  value: GroupDraft
  onChange: (part: Partial<GroupDraft>) => void
  problems: Problems
}

/** Name, description, permissions and rules; the group of all users has no name and no rules of its own. */
function FieldsCards({ group, value, onChange, problems }: FieldsProps) {
  const forAll = isEveryone(group)
  return (
    <>
      <Card
        title={group.id === '' ? t('groups.new') : groupName(group)}
        text={t(forAll ? 'groups.everyoneText' : 'groups.text')}
      >
        <div className={styles.pair}>
          {!forAll && (
            <TextField
              label={t('tokens.label')}
              error={problems.name}
              autoComplete="off"
              dir="auto"
              maxLength={64}
              data-field="name"
              value={value.name}
              onChange={event => onChange({ name: event.target.value })}
            />
          )}
          <TextField
            label={t('groups.description')}
            error={problems.description}
            autoComplete="off"
            dir="auto"
            maxLength={1000}
            data-field="description"
            value={value.description}
            onChange={event => onChange({ description: event.target.value })}
          />
        </div>
      </Card>
      <Card title={t('permissions.title')}>
        <PermissionGrid
          value={value.perm}
          onChange={perm => onChange({ perm })}
          error={problems.perm}
          {...(forAll && { without: ['admin', 'execute'] })}
        />
      </Card>
      {!forAll && (
        <Card title={t('settings.rules')} text={t('groups.rulesText')}>
          <RulesEditor value={value.rules} onChange={rules => onChange({ rules })} problems={problems} />
        </Card>
      )}
    </>
  )
}

function DeleteCard({ group, onDeleted }: { group: Group; onDeleted: () => void }) {
  return (
    <Card title={t('groups.deleteSection')}>
      <Button
        kind="danger"
        className={styles.start}
        icon={<Trash2 size={18} aria-hidden />}
        onClick={() => openPrompt('deleteGroup', { group, onDeleted })}
      >
        {t('actions.delete')}
      </Button>
    </Card>
  )
}

/** Display name of a group's field; a rule has its number. */
function nameOfField(field: string): string {
  const rule = /^rules\[(\d+)\]/.exec(field)?.[1]
  if (rule !== undefined) return t('rules.number', { number: Number(rule) + 1 })
  if (field === 'name') return t('tokens.label')
  return field === 'perm' ? t('permissions.title') : field
}
