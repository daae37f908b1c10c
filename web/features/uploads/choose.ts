/**
 * Opens the browser's file chooser; must be called from a click or key handler.
 * @returns an empty list when nothing was chosen, also when the chooser is cancelled
 */
export function chooseFiles(what: 'files' | 'folder'): Promise<File[]> {
  const input = document.createElement('input')
  input.type = 'file'
  input.hidden = true
  input.multiple = true
  if (what === 'folder') input.webkitdirectory = true
  document.body.append(input)
  return new Promise(resolve => {
    const finish = () => {
      resolve([...(input.files ?? [])])
      input.remove()
    }
    input.addEventListener('change', finish, { once: true })
    input.addEventListener('cancel', finish, { once: true })
    input.click()
  })
}
