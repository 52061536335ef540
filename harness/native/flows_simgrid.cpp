/**
 * When messages arrive, by SimGrid: `flows_simgrid FILE` prints the time of each, s, and the seconds
 * that the simulation took to stderr.
 *
 * FILE: numbers of hosts, links, messages; each link's B/s; then each message's source,
 * destination, whether it waits for the one before it, delay (s), bytes, number of links, links.
 */
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <simgrid/s4u.hpp>
#include <utility>
#include <vector>

namespace s4u = simgrid::s4u;

struct Message {
    int source, destination;
    double delay_s;
    double bytes;
    double arrived_s;
};

using Chain = std::vector<Message *>;

static void send(const std::vector<s4u::Host *> &hosts, const Chain &chain)
{
    for (Message *message : chain) {
        s4u::this_actor::sleep_for(message->delay_s);
        s4u::Comm::sendto(hosts[message->source], hosts[message->destination],
                          static_cast<uint64_t>(message->bytes));
        message->arrived_s = s4u::Engine::get_clock();
    }
}

int main(int argc, char **argv)
{
    s4u::Engine engine(&argc, argv);
    std::ifstream file(argv[1]);
    int nhosts, nlinks, nmessages;
    file >> nhosts >> nlinks >> nmessages;
    auto *zone = s4u::create_full_zone("machine");
    std::vector<s4u::Host *> hosts;
    std::vector<s4u::LinkInRoute> links;
    for (int i = 0; i < nhosts; i++)
        hosts.push_back(zone->create_host("h" + std::to_string(i), 1e9)->seal());
    for (int i = 0; i < nlinks; i++) {
        double bytes_per_s;
        file >> bytes_per_s;
        auto *link = zone->create_link("l" + std::to_string(i), bytes_per_s);
        links.emplace_back(link->set_latency(0.0)->seal());
    }
    std::map<std::pair<int, int>, bool> routed;
    std::vector<Message> messages(nmessages);
    std::vector<Chain> chains;
    for (Message &message : messages) {
        int waits, hops;
        file >> message.source >> message.destination >> waits >> message.delay_s >>
            message.bytes >> hops;
        std::vector<s4u::LinkInRoute> route;
        for (int link; hops > 0; hops--) {
            file >> link;
            route.push_back(links[link]);
        }
        if (!std::exchange(routed[{message.source, message.destination}], true))
            zone->add_route(hosts[message.source]->get_netpoint(),
                            hosts[message.destination]->get_netpoint(), nullptr, nullptr, route,
                            false);
        if (!waits)
            chains.emplace_back();
        chains.back().push_back(&message);
    }
    zone->seal();
    for (const Chain &chain : chains)
        s4u::Actor::create("sender", hosts[chain.front()->source],
                           [&hosts, &chain] { send(hosts, chain); });
    const auto begin = std::chrono::steady_clock::now();
    engine.run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    for (const Message &message : messages)
        std::printf("%.17g\n", message.arrived_s);
    std::fprintf(stderr, "%g\n", took.count());
    return 0;
}
