#include "taps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { QUEUE_FRAMES = 16384 };

static bool complain(const char *what, const char *name)
{
    fprintf(stderr, "leadline switch: %s: %s: %s\n", name, what, strerror(errno));
    return false;
}

/** The device's MTU, its address, and a queue that holds what a window of TCP sends at once. */
static bool set_up(const char *name, int32_t mtu, const uint8_t *address, struct ifreq *device)
{
    const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (any < 0)
        return complain("no socket", name);
    device->ifr_mtu = mtu;
    bool done = ioctl(any, SIOCSIFMTU, device) == 0 || complain("its MTU can't be set", name);
    device->ifr_qlen = QUEUE_FRAMES;
    done = done && (ioctl(any, SIOCSIFTXQLEN, device) == 0 || complain("no such queue", name));
    device->ifr_hwaddr.sa_family = ARPHRD_ETHER;
    memcpy(device->ifr_hwaddr.sa_data, address, ADDRESS_BYTES);
    done = done && (ioctl(any, SIOCSIFHWADDR, device) == 0 || complain("no such address", name));
    close(any);
    return done;
}

int tap_make(const char *name, int32_t mtu, const uint8_t address[ADDRESS_BYTES])
{
    struct ifreq device = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR};
    strncpy(device.ifr_name, name, IFNAMSIZ - 1);
    const int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tap < 0) {
        complain("/dev/net/tun can't be opened", name);
        return -1;
    }
    if (ioctl(tap, TUNSETIFF, &device) < 0)
        complain("the device can't be made", name);
    else if (ioctl(tap, TUNSETOFFLOAD, TUN_F_CSUM) < 0)
        complain("it can't leave checksums out", name);
    else if (set_up(name, mtu, address, &device))
        return tap;
    close(tap);
    return -1;
}

ssize_t tap_read(int tap, struct virtio_net_hdr *undone, uint8_t *octets)
{
    const struct iovec parts[] = {{undone, sizeof *undone}, {octets, MOST_FRAME}};
    const ssize_t bytes = readv(tap, parts, 2);
    if (bytes >= 0)
        return bytes - (ssize_t)sizeof *undone;
    return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

bool tap_write(int tap, const struct frame *frame)
{
    const struct iovec parts[] = {{(void *)&frame->undone, sizeof frame->undone},
                                  {(void *)frame->octets, (size_t)frame->bytes}};
    return writev(tap, parts, 2) == (ssize_t)(sizeof frame->undone + (size_t)frame->bytes);
}
