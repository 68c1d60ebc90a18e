/* Parse-only stand-in for <sys/ioctl.h>. */
#pragma once
#include <features.h>
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TIOCGWINSZ 0x5413
#define TIOCSWINSZ 0x5414
#define TIOCSCTTY 0x540E
#define TIOCGPGRP 0x540F
#define TIOCNOTTY 0x5422
#define TCGETS 0x5401
#define TCSETS 0x5402
#define FIONREAD 0x541B
#define FIONBIO 0x5421
#define FIONCLEX 0x5450
#define FIOCLEX 0x5451
#include <linux/sockios.h>
#define _IOC_NONE 0U
#define _IOC_WRITE 1U
#define _IOC_READ 2U
#define _IOC(d, t, n, s) (((d) << 30) | ((t) << 8) | (n) | ((s) << 16))
#define _IO(t, n) _IOC(_IOC_NONE, (t), (n), 0)
#define _IOR(t, n, s) _IOC(_IOC_READ, (t), (n), sizeof(s))
#define _IOW(t, n, s) _IOC(_IOC_WRITE, (t), (n), sizeof(s))
#define _IOWR(t, n, s) _IOC(_IOC_READ | _IOC_WRITE, (t), (n), sizeof(s))
__BEGIN_DECLS
int ioctl(int, unsigned long, ...);
__END_DECLS
