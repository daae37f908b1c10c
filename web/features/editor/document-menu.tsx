import type { FileResource } from '../../../shared/api/resources.ts'
import { t } from '../../lib/i18n/index.ts'
import { useWindowClass } from '../../lib/media.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { navigate, shownUrl } from '../../lib/router.tsx'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../ui/button.tsx'
import {
  Binary,
  Columns2,
  Download,
  EllipsisVertical,
  History,
  ListOrdered,
  Search,
  Table2,
  TextWrap,
} from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { isTable } from '../files/items/names.ts'
import { LAYOUTS, type Layout, layoutPreference, wrapPreference } from './preferences.ts'
import type { ShownLayout } from './use-layout.ts'
import type { TextCommands } from './use-text-commands.ts'

interface DocumentMenuProps {
  resource: FileResource
  commands: TextCommands
  layout: ShownLayout
}

/** The commands of a text: frequent ones as buttons, where there is room, the rest as a menu. */
export function DocumentMenu({ resource, commands, layout }: DocumentMenuProps) {
  const narrow = useWindowClass() === 'narrow'
  const wrap = useStore(wrapPreference.store) === 'on'
  const often = oftenUsed(commands)
  return (
    <>
      {!narrow &&
        often.map(({ id, label, icon, keys, run }) => (
          <IconButton
            key={id}
            label={label}
            {...(keys && { keys })}
            onClick={run}
            {...(id === 'wrap' && pressed(wrap))}
          >
            {icon}
          </IconButton>
        ))}
      {layout.chosen && (
        <MenuButton label={t('fields.viewMode')} entries={layoutEntries(layout.chosen)}>
          <Columns2 size={18} aria-hidden />
        </MenuButton>
      )}
      <MenuButton label={t('preview.actions')} entries={[...(narrow ? often : []), ...seldomUsed(resource, commands)]}>
        <EllipsisVertical size={20} aria-hidden />
      </MenuButton>
    </>
  )
}

const pressed = (on: boolean) => ({ 'aria-pressed': on })

type Command = MenuEntry & { run: () => void }

function oftenUsed({ find, wrap, download }: TextCommands): Command[] {
  return [
    ...(find
      ? [{ id: 'find', label: t('actions.find'), icon: <Search size={18} aria-hidden />, keys: 'Ctrl+F', run: find }]
      : []),
    { id: 'wrap', label: t('actions.wrap'), icon: <TextWrap size={18} aria-hidden />, keys: 'Alt+Z', run: wrap },
    ...(download
      ? [{ id: 'download', label: t('common.download'), icon: <Download size={18} aria-hidden />, run: download }]
      : []),
  ]
}

function seldomUsed({ name, path }: FileResource, { goToLine }: TextCommands): Command[] {
  const show = (as: 'table' | 'hex') => () => void navigate(shownUrl(path, as), { replace: true })
  return [
    ...(goToLine
      ? [
          {
            id: 'line',
            label: t('actions.goToLine'),
            icon: <ListOrdered size={18} aria-hidden />,
            keys: 'Alt+G',
            run: goToLine,
          },
        ]
      : []),
    ...(isTable(name)
      ? [{ id: 'table', label: t('preview.asTable'), icon: <Table2 size={18} aria-hidden />, run: show('table') }]
      : []),
    {
      id: 'versions',
      label: t('actions.versions'),
      icon: <History size={18} aria-hidden />,
      run: () => openPrompt('versions', { item: { path, name } }),
    },
    { id: 'hex', label: t('preview.asHex'), icon: <Binary size={18} aria-hidden />, run: show('hex') },
  ]
}

function layoutEntries(chosen: Layout): MenuEntry[] {
  const labels: Record<Layout, string> = {
    source: t('editor.source'),
    split: t('editor.split'),
    rendered: t('editor.rendered'),
  }
  return LAYOUTS.map(layout => ({
    id: layout,
    label: labels[layout],
    checked: layout === chosen,
    run: () => layoutPreference.choose(layout),
  }))
}
