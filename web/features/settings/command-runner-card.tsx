import { COMMAND_EVENTS, type CommandEvent } from '../../../shared/api/settings.ts'
import { t } from '../../lib/i18n/index.ts'
import { sandboxText } from '../../lib/sandbox-text.ts'
import { Card } from '../../ui/card.tsx'
import styles from '../../ui/form.module.css'
import { TextArea } from '../../ui/text-area.tsx'
import type { GlobalCardProps } from './global-fields.ts'

/** Commands the server runs before and after events (http-api 17), one per line. */
export function CommandRunnerCard({ value, onChange, problems }: GlobalCardProps) {
  const set = (event: CommandEvent) => (text: string) => onChange({ commands: { ...value.commands, [event]: text } })
  return (
    <Card title={t('settings.commandRunner')} text={t('settings.commandRunnerText')}>
      <p>{sandboxText()}</p>
      <div className={styles.pair}>
        {COMMAND_EVENTS.map(event => (
          <TextArea
            key={event}
            label={labelOf(event)}
            error={problems[`commands.${event}`]}
            data-field={`commands.${event}`}
            value={value.commands[event]}
            onChange={set(event)}
          />
        ))}
      </div>
    </Card>
  )
}

function labelOf(event: CommandEvent): string {
  const labels: Record<CommandEvent, string> = {
    before_save: t('settings.beforeSave'),
    after_save: t('settings.afterSave'),
    before_copy: t('settings.beforeCopy'),
    after_copy: t('settings.afterCopy'),
    before_rename: t('settings.beforeRename'),
    after_rename: t('settings.afterRename'),
    before_upload: t('settings.beforeUpload'),
    after_upload: t('settings.afterUpload'),
    before_delete: t('settings.beforeDelete'),
    after_delete: t('settings.afterDelete'),
  }
  return labels[event]
}
