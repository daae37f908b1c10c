import type { User } from '../../../../shared/api/users.ts'
import { apiUrl } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import buttons from '../../../ui/button.module.css'
import { Checkbox } from '../../../ui/checkbox.tsx'
import form from '../../../ui/form.module.css'
import { Download } from '../../../ui/icons.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { usersQuery } from '../api/users.ts'

interface HandoverFieldsProps {
  /** The user who leaves. */
  id: number
  heir: User | undefined
  move: boolean
  /** Links and shares that the heir did not get. */
  left: number
  onHeir: (user: User | undefined) => void
  onMove: (move: boolean) => void
}

/** Who gets the links and shares of a user, and whether the files go along. */
export default function HandoverFields({ id, heir, move, left, onHeir, onMove }: HandoverFieldsProps) {
  const { data } = useQuery(usersQuery)
  // A link opens only as long as its owner may share.
  const others = data?.filter(({ id: other, perm }) => other !== id && (perm.share || perm.admin)) ?? []
  const leaving = data?.find(user => user.id === id)
  const saved = leaving && <ExportAccount user={leaving} />
  if (others.length === 0) return saved
  return (
    <>
      {saved}
      <SelectField
        label={t('links.handOver')}
        choices={[
          { value: '', label: t('links.handOverNone') },
          ...others.map(user => ({ value: String(user.id), label: t('links.handOverTo', { name: user.username }) })),
        ]}
        value={String(heir?.id ?? '')}
        onChange={value => onHeir(others.find(user => String(user.id) === value))}
      />
      {heir && (
        <Checkbox
          label={t('links.moveFiles', { name: heir.username })}
          hint={t('links.moveFilesHint')}
          checked={move}
          onChange={onMove}
        />
      )}
      <p role="alert">{heir && left > 0 && t('links.handedLeft', { count: left, name: heir.username })}</p>
    </>
  )
}

/** The files of a user, and what is stored of them, as an archive. */
function ExportAccount({ user: { id, username } }: { user: User }) {
  return (
    <a className={`${buttons.button} ${buttons.quiet} ${form.start}`} href={apiUrl(`/api/users/${id}/export`)} download>
      <Download size={18} aria-hidden />
      {t('links.exportHome', { name: username })}
    </a>
  )
}
