/** Compares two secrets in constant time. */
export const timingSafeEqual = (secret: string, guess: string): boolean => {
  let difference = secret.length ^ guess.length
  for (let i = 0; i < secret.length; i++) difference |= secret.charCodeAt(i) ^ (guess.charCodeAt(i) | 0)
  return difference === 0
}
