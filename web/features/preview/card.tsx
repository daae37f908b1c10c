import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { useUserHere } from '../../lib/actions.ts'
import { apiUrl } from '../../lib/api.ts'
import { formatBytes, formatDate } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { openPrompt } from '../../lib/prompts.ts'
import type { ShownAs } from '../../lib/router.tsx'
import buttons from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Glyph, kindOf } from '../../ui/glyph.tsx'
import { Download, ExternalLink, TvMinimalPlay } from '../../ui/icons.ts'
import { rawPath } from '../files/api/resource.ts'
import { isPlayed } from './api/play-links.ts'
import styles from './card.module.css'
import { OtherViews } from './tools.tsx'

interface CardProps {
  resource: FileResource
  text: string
  /** Container and codecs of a video or audio file, if known: what other players have to play. */
  format?: string
  /** The current view, if it is not that of the file's type. */
  as?: ShownAs
  /** In a public share, whose page has its own downloads. */
  shared?: boolean
}

/** A file without preview: its type, the reason, and its actions. */
export function Card({ resource, text, format, as, shared = false }: CardProps) {
  const user = useUserHere()
  return (
    <div className={styles.card}>
      <Glyph kind={kindOf(resource)} large />
      <p className={styles.name}>
        <bdi>{shownName(resource.name)}</bdi>
      </p>
      <p className={styles.facts}>
        <bdi>{formatBytes(resource.size)}</bdi>
        <span aria-hidden="true"> · </span>
        <time dateTime={resource.modified}>{formatDate(resource.modified)}</time>
      </p>
      <p>{text}</p>
      {format !== undefined && (
        <p className={styles.facts}>
          {format && (
            <>
              <bdi>{format}</bdi>
              <span aria-hidden="true"> · </span>
            </>
          )}
          {t('preview.players')}
        </p>
      )}
      {user?.perm.download && !shared && <FileActions resource={resource} {...(as && { as })} />}
    </div>
  )
}

function FileActions({ resource, as }: Pick<CardProps, 'resource' | 'as'>) {
  return (
    <div className={styles.ways}>
      <a
        className={`${buttons.button} ${buttons.primary}`}
        href={apiUrl(rawPath(resource.path))}
        download={resource.name}
      >
        <Download size={18} aria-hidden />
        {t('common.download')}
      </a>
      <a
        className={`${buttons.button} ${buttons.plain}`}
        href={apiUrl(rawPath(resource.path, true))}
        target="_blank"
        rel="noreferrer"
      >
        <ExternalLink size={18} aria-hidden />
        {t('common.open')}
      </a>
      {isPlayed(resource) && (
        <Button
          icon={<TvMinimalPlay size={18} aria-hidden />}
          onClick={() => openPrompt('playLink', { path: resource.path })}
        >
          {t('preview.player')}
        </Button>
      )}
      <OtherViews resource={resource} {...(as && { as })} />
    </div>
  )
}
