import { useState } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { shownName } from '../../../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../../../shared/path.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { SelectField } from '../../../../ui/select-field.tsx'
import { ARCHIVE_FORMATS } from '../../api/archive.ts'
import { knownFolder } from '../../api/list.ts'
import { intoText } from '../../items/into-text.ts'
import { freeStem, stemLength } from '../../items/names.ts'
import { formatNamed, lastFormat, rememberFormat } from '../archive-choice.ts'
import { createArchive } from '../create-archive.ts'
import { NamePrompt } from './name-prompt.tsx'

interface PackPromptProps {
  /** Of the archive. */
  folder: string
  items: readonly ResourceItem[]
  /** The refused name and format, and why they were refused. */
  value?: string
  format?: string
  problem?: string
}

const CHOICES = ARCHIVE_FORMATS.map(({ name }) => ({ value: name, label: name }))

/** Prompts for an archive's name and format. */
export default function PackPrompt({ folder, items, value, format, problem }: PackPromptProps) {
  const [chosen, setChosen] = useState(() => (format === undefined ? lastFormat() : formatNamed(format)))
  const ending = `.${chosen.name}`
  const [name] = useState(() => withoutEnding(value, ending) ?? suggestion(folder, items, ending))
  return (
    <NamePrompt
      title={t('pack.title', { count: items.length })}
      label={t('naming.fileName')}
      confirm={t('naming.create')}
      hint={intoText(parsePath(folder))}
      folder={folder}
      value={name}
      ending={ending}
      problem={problem}
      onName={named => {
        rememberFormat(chosen)
        void createArchive({ folder, items, name: named, format: chosen.name })
      }}
    >
      <SelectField
        label={t('pack.format')}
        value={chosen.name}
        choices={CHOICES}
        onChange={picked => setChosen(formatNamed(picked))}
      />
    </NamePrompt>
  )
}

const withoutEnding = (name: string | undefined, ending: string) =>
  name?.endsWith(ending) ? name.slice(0, -ending.length) : name

/** Named like its only item, or like the folder of several; numbered if taken. */
function suggestion(folder: string, items: readonly ResourceItem[], ending: string): string {
  const taken = new Set(knownFolder(folder)?.items.map(({ name }) => name))
  return freeStem(stemOf(folder, items), ending, taken)
}

function stemOf(folder: string, [first, ...others]: readonly ResourceItem[]): string {
  if (!first || others.length > 0) return shownName(nameOf(parsePath(folder))) || t('files.home')
  return shownName(first.isDir ? first.name : first.name.slice(0, stemLength(first.name)))
}
