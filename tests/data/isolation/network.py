# What can be reached: the allowed place, others by the proxy, an address without it, a name.
import errno
import socket
import urllib.error
import urllib.request


def fetch(url):
    try:
        return urllib.request.urlopen(url, timeout=20).read().decode()
    except urllib.error.HTTPError as error:
        return error.code


def direct(address):
    try:
        socket.create_connection(address, timeout=5)
        return "connected"
    except OSError as error:
        return "Network is unreachable" if error.errno == errno.ENETUNREACH else repr(error)


def resolved(name):
    try:
        return socket.getaddrinfo(name, 443)
    except socket.gaierror:
        return "no name"


[
    fetch("http://PLACE/"),
    fetch("http://example.com/"),
    fetch("http://169.254.169.254/latest/meta-data/"),
    fetch("http://allowed.invalid:443/"),
    fetch("http://2852039166/"),
    direct(("93.184.216.34", 80)),
    resolved("example.com"),
]
