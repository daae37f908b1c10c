/**
 * Cancels the fetch of an image: browsers would otherwise complete it after the image has left the page, before those
 * in view.
 */
export function cancelImage(image: HTMLImageElement): void {
  image.removeAttribute('src')
}

/** For `ref`: cancels the image when it leaves the page. */
export const cancelOnUnmount = (image: HTMLImageElement) => (): void => cancelImage(image)
