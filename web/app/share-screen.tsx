import type { FilePath } from '../../shared/path.ts'
import PublicShare from '../features/public-share/public-share.tsx'
import { lazyLinks, lazyTool } from '../lib/lazy.ts'
import { sharedViewer } from './viewers.ts'

const RequestPage = lazyLinks(() => import('../features/uploads/request/request-page.tsx'))
const UPLOADS = {
  Button: lazyLinks(() => import('../features/uploads/visitor/upload-button.tsx')),
  Card: lazyLinks(() => import('../features/uploads/visitor/card.tsx')),
}
const TextEditor = lazyTool(() => import('../features/editor/visitor-text.tsx'))
const SharedShell = lazyTool(() => import('../features/preview/shared-shell.tsx'))

/** `/share/*`: what a link shares. */
export default function ShareScreen({ hash, path }: { hash: string; path: FilePath }) {
  return (
    <PublicShare
      key={hash}
      hash={hash}
      path={path}
      findViewer={sharedViewer}
      shell={SharedShell}
      requestPage={RequestPage}
      uploads={UPLOADS}
      textEditor={TextEditor}
    />
  )
}
