import classes from './HeroArt.module.css'

/** Ice floes on a still sea, each carrying a file. */
export function HeroArt() {
  return (
    <svg className={classes.art} viewBox="0 0 520 400" fill="none" aria-hidden="true">
      <defs>
        <clipPath id="hero-frame">
          <rect width="520" height="400" rx="28" />
        </clipPath>
      </defs>
      <g clipPath="url(#hero-frame)">
        <rect className={classes.sky} width="520" height="400" />
        <circle className={classes.sun} cx="398" cy="92" r="40" />
        <path
          className={classes.range}
          d="M0 210 70 150 118 184 176 122 252 196 300 168 372 208 440 176 520 206V230H0Z"
        />
        <rect className={classes.sea} y="214" width="520" height="186" />
        <path
          className={classes.glint}
          d="M40 244H130M372 238H474M210 352H300M22 330H92M420 340H502"
        />

        <path className={classes.under} d="M98 292 392 288 352 336 262 366 150 340Z" />
        <path
          className={classes.shade}
          d="M72 280 128 214 200 230 250 168 326 222 356 212 420 278 392 292 98 296Z"
        />
        <path className={classes.ice} d="M72 280 128 214 172 284 98 296Z" />
        <path className={classes.ice} d="M200 230 250 168 276 288 172 284Z" />
        <path className={classes.ice} d="M356 212 420 278 392 292 330 290Z" />

        <path className={classes.under} d="M404 330 506 328 470 356 436 354Z" />
        <path
          className={classes.ice}
          d="M392 326 420 300 462 308 486 296 520 326 506 334 404 336Z"
        />
        <path className={classes.under} d="M22 366 106 364 80 386 44 384Z" />
        <path className={classes.ice} d="M12 362 40 340 84 346 118 362 104 370 24 372Z" />

        <g className={classes.sheet}>
          <path
            className={classes.paper}
            d="M218 62H268L292 86V154A8 8 0 0 1 284 162H218A8 8 0 0 1 210 154V70A8 8 0 0 1 218 62Z"
          />
          <path className={classes.fold} d="M268 62V78A8 8 0 0 0 276 86H292Z" />
          <path className={classes.lines} d="M226 104H276M226 120H276M226 136H256" />
        </g>
      </g>
    </svg>
  )
}
