import { t } from '../../lib/i18n/index.ts'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import tables from '../../ui/table.module.css'
import { KINDS, type LinkFilter, STATES } from './link-filter.ts'
import styles from './shares.module.css'

interface LinkFilterFieldsProps {
  value: LinkFilter
  onChange: (filter: LinkFilter) => void
}

/** The filter of the list of links. */
export function LinkFilterFields({ value, onChange }: LinkFilterFieldsProps) {
  return (
    <div className={`${tables.tools} ${styles.filters}`}>
      <div className={tables.filter}>
        <TextField
          label={t('settings.filter')}
          type="search"
          value={value.q}
          onChange={event => onChange({ ...value, q: event.target.value })}
        />
      </div>
      <SelectField
        label={t('settings.linksKind')}
        value={value.kind}
        choices={[
          { value: '', label: t('settings.linksAllKinds') },
          { value: 'view', label: t('settings.linksView') },
          { value: 'edit', label: t('settings.linksEdit') },
          { value: 'drop', label: t('settings.linksDrop') },
        ]}
        onChange={text => onChange({ ...value, kind: KINDS.find(kind => kind === text) ?? '' })}
      />
      <SelectField
        label={t('settings.linksWhich')}
        value={value.only}
        choices={[
          { value: '', label: t('settings.linksAll') },
          { value: 'paused', label: t('settings.linkPaused') },
          { value: 'shut', label: t('settings.linksShut') },
          { value: 'open', label: t('settings.linksOpen') },
          { value: 'endless', label: t('settings.linksEndless') },
          { value: 'unused', label: t('settings.linksUnused') },
        ]}
        onChange={text => onChange({ ...value, only: STATES.find(state => state === text) ?? '' })}
      />
    </div>
  )
}
