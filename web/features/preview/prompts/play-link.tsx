import { parentOf, parsePath } from '../../../../shared/path.ts'
import { copyText } from '../../../lib/clipboard.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Copy, Download } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { saveFrom } from '../../files/api/download.ts'
import { createPlayLink, playLinkQuery } from '../api/play-links.ts'
import styles from './play-link.module.css'

/** The address with which other players open a video or audio file, and playlists of it and of its folder. */
export default function PlayLinkPrompt({ path }: { path: string }) {
  const { data, error, refetch } = useQuery(playLinkQuery(path))
  const savePlaylist = () => data && saveFrom(data.playlist, '')
  const saveFolder = async () => {
    try {
      saveFrom((await createPlayLink(parentOf(parsePath(path)))).playlist, '')
    } catch (thrown) {
      notify('error', errorText(thrown))
    }
  }
  return (
    <Dialog
      title={t('preview.player')}
      description={t('preview.playerText')}
      onClose={closePrompt}
      footer={
        <>
          <Button icon={<Download size={18} aria-hidden />} disabled={!data} onClick={() => void saveFolder()}>
            {t('preview.playerFolder')}
          </Button>
          <Button kind="primary" icon={<Download size={18} aria-hidden />} disabled={!data} onClick={savePlaylist}>
            {t('preview.playerList')}
          </Button>
        </>
      }
    >
      {data ? (
        <Address text={data.url} />
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} />
      )}
    </Dialog>
  )
}

function Address({ text }: { text: string }) {
  const copy = async () => {
    const worked = await copyText(text)
    notify(worked ? 'success' : 'info', t(worked ? 'preview.playerCopied' : 'preview.playerByHand'))
  }
  return (
    <span className={styles.line} dir="ltr" translate="no">
      <code className={styles.address}>{text}</code>
      <IconButton label={t('preview.playerCopy')} onClick={() => void copy()}>
        <Copy size={18} aria-hidden />
      </IconButton>
    </span>
  )
}
