import type { LinkKind } from '../../../shared/api/shares.ts'
import { MAX_LINK_NAME } from '../../../shared/link-names.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import type { NamesInput, NamesProblem } from './names.ts'

interface NamesFieldsProps {
  kind: LinkKind
  value: NamesInput
  problemAt: (field: NamesProblem['at']) => string | undefined
  onChange: (value: NamesInput) => void
}

/** The name of a link in its address, and how often it is downloaded from. */
export function NamesFields({ kind, value, problemAt, onChange }: NamesFieldsProps) {
  const { slugs } = pageConfig.Links
  return (
    <>
      {kind === 'view' && (
        <Checkbox
          label={t('links.previewOnly')}
          hint={t('links.previewOnlyHint')}
          checked={value.previewOnly}
          onChange={previewOnly => onChange({ ...value, previewOnly })}
        />
      )}
      {kind === 'view' && !value.previewOnly && (
        <TextField
          label={t('links.maxDownloads')}
          hint={t('links.maxDownloadsHint')}
          inputMode="numeric"
          autoComplete="off"
          value={value.maxDownloads}
          error={problemAt('maxDownloads')}
          onChange={event => onChange({ ...value, maxDownloads: event.target.value })}
        />
      )}
      {(slugs !== 'off' || value.slug !== '') && (
        <TextField
          label={t('links.slug')}
          hint={t(slugs === 'open' ? 'links.slugOpenHint' : 'links.slugHint')}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_LINK_NAME}
          value={value.slug}
          error={problemAt('slug')}
          onChange={event => onChange({ ...value, slug: event.target.value })}
        />
      )}
    </>
  )
}
